// The folder that a trial leaves its files in.
import { useEffect, useState } from 'preact/hooks';
import { asError, getJson, studyPath, type ApiError } from '../api';
import { formatBytes, formatTime } from '../format';
import { Icon } from '../ui/icon';
import { ErrorLine } from '../ui/states';

interface Entry {
  name: string;
  isFolder: boolean;
  bytes: number;
  modified: number;
}

interface Listing {
  folder: string;
  entries: Entry[];
  isCut?: boolean;
  /** Why there are none. */
  note?: string;
}

/** `version`: something that changes when the files may have. */
export function TrialFiles({ study, trial, version }: { study: string; trial: number; version: string }) {
  const [path, setPath] = useState('');
  const [listing, setListing] = useState<Listing | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    getJson<Listing>(studyPath(study, `files/${trial}`, { path }), stop.signal)
      .then((answer) => {
        setListing(answer);
        setError(null);
      })
      .catch((caught) => {
        if (!stop.signal.aborted) setError(asError(caught));
      });
    return () => stop.abort();
  }, [study, trial, path, version]);

  const parts = path ? path.split('/') : [];
  const below = (name: string) => (path ? path + '/' : '') + name;
  if (listing?.note && !path) return <p class="muted">{listing.note}</p>;
  return (
    <>
      {parts.length > 0 && (
        <nav class="path" aria-label="Folder">
          <button type="button" class="link" onClick={() => setPath('')}>
            All files
          </button>
          {parts.map((part, i) => (
            <>
              <span class="muted">/</span>
              {i + 1 < parts.length ? (
                <button type="button" class="link" onClick={() => setPath(parts.slice(0, i + 1).join('/'))}>
                  {part}
                </button>
              ) : (
                <span aria-current="location">{part}</span>
              )}
            </>
          ))}
        </nav>
      )}
      {error && <ErrorLine text={error.message} />}
      {listing && (
        <>
          {listing.entries.length === 0 ? (
            <p class="muted">The folder is empty.</p>
          ) : (
            <table class="plain-table files">
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col" class="number">
                    Size
                  </th>
                  <th scope="col" class="modified">
                    Changed
                  </th>
                </tr>
              </thead>
              <tbody>
                {listing.entries.map(({ name, isFolder, bytes, modified }) => (
                  <tr key={name}>
                    <td>
                      {isFolder ? (
                        <button type="button" class="link" onClick={() => setPath(below(name))}>
                          <Icon name="folder" /> {name}
                        </button>
                      ) : (
                        <a href={'/ui/' + studyPath(study, `file/${trial}`, { path: below(name) })} download={name}>
                          {name}
                        </a>
                      )}
                    </td>
                    <td class="number">{isFolder ? '' : formatBytes(bytes)}</td>
                    <td class="muted modified">{formatTime(modified)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          {listing.isCut && <p class="muted note">There are more than are shown.</p>}
          <p class="muted note folder">
            <code>{listing.folder}</code>
          </p>
        </>
      )}
    </>
  );
}
