// Calls to the service. Every failure becomes an ApiError; a 401 also ends the session.
import { decodeColumns, type Columns } from './columns';
import type { Methods } from './messages';

/** HTTP status 0 means that no answer came. */
export class ApiError extends Error {
  constructor(
    readonly code: number,
    readonly status: string,
    message: string,
    readonly details: unknown[] = [],
  ) {
    super(message);
  }

  get isOffline(): boolean {
    return this.code === 0 || this.code === 502 || this.code === 503 || this.code === 504;
  }
}

let csrf = '';
let onSignedOut: () => void = () => {};

/** The store of the session says here what every later request needs. */
export function configureApi(options: { csrf?: string; onSignedOut?: () => void }): void {
  if (options.csrf !== undefined) csrf = options.csrf;
  if (options.onSignedOut) onSignedOut = options.onSignedOut;
}

async function failure(response: Response): Promise<ApiError> {
  const fallback = `The service answered ${response.status} ${response.statusText}.`;
  try {
    const { error } = (await response.json()) as {
      error?: { status?: string; message?: string; details?: unknown[] };
    };
    return new ApiError(response.status, error?.status ?? '', error?.message || fallback, error?.details ?? []);
  } catch {
    return new ApiError(response.status, '', fallback);
  }
}

async function request(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = {};
  if (method !== 'GET') {
    headers['Content-Type'] = 'application/json';
    if (csrf) headers['X-Vernier-Csrf'] = csrf;
  }
  let response: Response;
  try {
    response = await fetch('/ui/' + path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: 'same-origin',
      signal,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, 'UNAVAILABLE', 'The service does not answer.');
  }
  if (response.ok) return response;
  const error = await failure(response);
  if (response.status === 401 && path !== 'session') onSignedOut();
  throw error;
}

/** `path` is below /ui/, for example `api/jobs`. */
export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await request('GET', path, undefined, signal)).json() as Promise<T>;
}

export async function getColumns(path: string, signal?: AbortSignal): Promise<Columns> {
  return decodeColumns(await (await request('GET', path, undefined, signal)).arrayBuffer());
}

export async function sendJson<T>(method: 'POST' | 'DELETE', path: string, body?: unknown): Promise<T> {
  const text = await (await request(method, path, body)).text();
  return (text ? JSON.parse(text) : {}) as T;
}

/** Calls a method by proto3 JSON, for example rpc('JobService', 'PauseJob', { jobId }). */
export function rpc<Service extends keyof Methods, Method extends keyof Methods[Service] & string>(
  service: Service,
  method: Method,
  body: Sent<Methods[Service][Method]>,
): Promise<Answered<Methods[Service][Method]>> {
  return sendJson('POST', `rpc/vernier.v1.${service}/${method}`, body);
}
type Sent<Pair> = Pair extends [infer Request, unknown] ? Request : never;
type Answered<Pair> = Pair extends [unknown, infer Answer] ? Answer : never;

/** The path of what belongs to a study: studyPath('digits', 'trials', { since: 5 }). */
export function studyPath(
  study: string,
  rest = '',
  query: Record<string, string | number | null | undefined> = {},
): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') search.set(key, String(value));
  }
  const tail = search.toString();
  return `api/studies/${encodeURIComponent(study)}${rest && '/' + rest}${tail && '?' + tail}`;
}

/** Any text that is never used again; randomUUID is there in secure contexts only. */
export function requestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function asError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(-1, 'INTERNAL', error instanceof Error ? error.message : String(error));
}
