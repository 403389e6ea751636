// A service without a service: what the page asks for, with studies that are
// hard to show. `answer` returns {type, body}, or null for an unknown address.

const kNow = Date.UTC(2026, 0, 15, 12);

function encodeColumns(header, columns) {
  let offset = 0;
  const heads = Object.entries(columns).map(([name, data]) => {
    const type = data instanceof Uint8Array ? 'u8' : data instanceof Int32Array ? 'i32' : data instanceof Float32Array ? 'f32' : 'f64';
    const head = {name, type, offset, length: data.length};
    offset += Math.ceil(data.byteLength / 8) * 8;
    return head;
  });
  const text = Buffer.from(JSON.stringify({...header, columns: heads}));
  const base = Math.ceil((8 + text.length) / 8) * 8;
  const bytes = Buffer.alloc(base + offset);
  bytes.write('VCOL', 0);
  bytes.writeUInt32LE(text.length, 4);
  text.copy(bytes, 8);
  heads.forEach((head) => {
    const data = columns[head.name];
    Buffer.from(data.buffer, data.byteOffset, data.byteLength).copy(bytes, base + head.offset);
  });
  return bytes;
}

/** A number from 0 to 1 that is always the same for `i`. */
function chance(i) {
  const x = Math.sin(i * 12.9898) * 43758.5453;
  return x - Math.floor(x);
}

export const traceback = `The replica master 0 exited with a non-zero status of 1.
Traceback (most recent call last):
  File "/work/train.py", line 12, in <module>
    main()
ValueError: no such place`;

function columnOf(parameter, at, count) {
  return Float64Array.from({length: count}, (_, i) => {
    const share = chance(i * 7 + at);
    if (parameter.type === 'CATEGORICAL') return Math.floor(share * parameter.values.length);
    const value = parameter.scale === 'LOG' ? parameter.min * (parameter.max / parameter.min) ** share : parameter.min + share * (parameter.max - parameter.min);
    return parameter.type === 'INTEGER' ? Math.round(value) : value;
  });
}

/** A study of `count` trials, of which every fourth failed if `fails`. */
function study(id, {count = 20, space, metrics = ['loss'], least = 1.0613e-9, fails = false, ...more} = {}) {
  space ??= [
    {name: 'lr', type: 'DOUBLE', min: 1e-9, max: 1e-3, scale: 'LOG'},
    {name: 'units', type: 'INTEGER', min: 1, max: 1048576, scale: 'LOG'},
    {name: 'optimizer', type: 'CATEGORICAL', values: ['sgd', 'adam']},
  ];
  const hasFailed = (i) => fails && i % 4 === 1;
  const over = (value) => Float64Array.from({length: count}, (_, i) => value(i));
  const values = over((i) => (hasFailed(i) ? NaN : least * (1 + i)));
  const columns = {
    id: Int32Array.from({length: count}, (_, i) => i + 1),
    state: Uint8Array.from({length: count}, (_, i) => (hasFailed(i) ? 1 : 0)),
    cause: Uint8Array.from({length: count}, (_, i) => (hasFailed(i) ? 1 : 0)),
    method: new Uint8Array(count),
    final: Uint8Array.from({length: count}, (_, i) => (hasFailed(i) ? 0 : 1)),
    step: over(() => 10),
    created: over((i) => kNow - 1e6 + i * 1e4),
    started: over((i) => kNow - 1e6 + i * 1e4),
    ended: over((i) => kNow - 9e5 + i * 1e4),
    attempts: Int32Array.from({length: count}, () => 1),
    value: values,
  };
  metrics.forEach((name, at) => (columns['m:' + name] = at === 0 ? values : over((i) => 1 / (i + 1) + chance(i))));
  space.forEach((parameter, at) => (columns['p:' + parameter.name] = columnOf(parameter, at, count)));
  const parameters = (i) => Object.fromEntries(space.map(({name, type, values: names}) => {
    const value = columns['p:' + name][i];
    return [name, type === 'CATEGORICAL' ? names[value] : String(value)];
  }));
  const failed = columns.state.filter((state) => state === 1).length;
  const info = {
    codeNotes: [`not copied with the code: what .vernierignore names (${'data_'.repeat(60)})`], outputDir: `/srv/${'folder'.repeat(60)}`,
    id, name: id, project: 'default', kind: 'job', state: 'RUNNING', wanted: 'RUN', waitingFor: '', idleSince: null, algorithm: 'DEFAULT',
    metric: metrics[0], goal: 'MINIMIZE', metrics: metrics.length,
    best: count && metrics.length === 1 ? {trial: 1, value: values[0], parameters: parameters(0)} : null,
    counts: {max: 40, total: count, running: 0, waiting: 0, requested: 0, completed: count - failed, stopped: 0, infeasible: 0, failed},
    created: kNow - 2e6, started: kNow - 1e6, ended: null, gpus: 0, labels: {}, note: '', error: '', spark: [3e-9, 2e-9, 1e-9],
    space, metricSpecs: metrics.map((name) => ({name, goal: 'MINIMIZE'})), causes: {}, parallel: 2, etaSeconds: 100, epochsSaved: null,
    seed: 5, metricNames: metrics, queued: [], spec: 'trainingInput: {}', ...more,
  };
  return {info, columns, parameters, dictionaries: {state: ['completed', 'failed'], cause: ['', 'user_error'], method: ['DEFAULT']}};
}

export const longNames = [0, 1, 2, 3, 4, 5].map((seed) => `resnet50_imagenet_ablation_learning_rate_schedule_cosine_warmup_seed_${seed}`);
const kLayers = Array.from({length: 30}, (_, k) => ({name: `model.encoder.layers.${k}.attention.dropout_probability`, type: 'DOUBLE', min: 0, max: 1, scale: 'LINEAR'}));
const kUnbroken = [
  {name: 'x'.repeat(300), type: 'DOUBLE', min: 0, max: 1, scale: 'LINEAR'},
  {name: 'kind', type: 'CATEGORICAL', values: ['v'.repeat(200), 'w'.repeat(200)]},
];

const studies = new Map([
  ...longNames.map((name) => study(name)),
  study('tiny', {fails: true, state: 'FAILED', error: traceback}),
  study('empty', {count: 0}),
  study('many', {space: kLayers, count: 60}),
  study('unbroken', {space: kUnbroken, metrics: ['m'.repeat(120)], note: 'n'.repeat(500)}),
  study('front', {metrics: ['loss', 'latency_milliseconds'], count: 40, kind: 'study', state: 'ACTIVE'}),
].map((each) => [each.info.id, each]));

function insightsOf({info}) {
  const {space} = info;
  return {
    observationCount: info.counts.completed, hasModel: true, metric: info.metric, goal: 'MINIMIZE',
    importance: space.map(({name}, i) => ({parameter: name, share: 0.5 / (i + 1), low: 0.4 / (i + 1), high: 0.6 / (i + 1)})),
    interactions: space.slice(1, 12).map(({name}, i) => ({first: space[0].name, second: name, share: 0.1 / (i + 1)})),
    slices: space.map(({name, min = 0, max = 1, values}) => ({
      parameter: name, x: values ? values.map((_, i) => i) : [min, (min + max) / 2, max], labels: values, mean: [1e-9, 2e-9, 3e-9], low: [0, 1e-9, 2e-9], high: [2e-9, 3e-9, 4e-9],
    })),
    contours: [], advice: [{parameter: space[0].name, text: `The best values of ${space[0].name} lie at the low end of its range.`}],
    predictedBest: {parameters: space.map(({name, min, values}) => ({name, value: values ? values[0] : String(min)})), prediction: {mean: 1.06e-9, low: 1e-9, high: 2e-9}},
    failures: [{kind: 'OUT_OF_MEMORY', count: 3, text: `3 of 9 trials ran out of memory. Of trials with ${space[0].name} above 8, 3 of 3 did, and 0 of 6 others.`}],
    expectedGain: 1e-11, improvementProbability: 0.02,
    calibration: {trials: [1, 2], observed: [1e-9, 2e-9], mean: [1e-9, 2e-9], low: [0, 1e-9], high: [2e-9, 3e-9], coverage: 0.7, logScore: 1},
  };
}

function trialOf({info, columns, parameters}, id) {
  const failed = columns.state[id - 1] === 1;
  return {
    trialId: String(id), state: failed ? 'FAILED' : 'COMPLETED', metrics: info.metricNames,
    parameters: Object.entries(parameters(id - 1)).map(([name, value]) => ({name, value, isText: Number.isNaN(Number(value))})),
    finalMeasurement: failed ? undefined : {step: '10', value: columns.value[id - 1]},
    createTime: new Date(kNow - 1e6).toISOString(), startTime: new Date(kNow - 1e6).toISOString(), endTime: new Date(kNow - 9e5).toISOString(),
    note: 'n'.repeat(500), attributes: {checkpoint: JSON.stringify(`/srv/${'folder'.repeat(60)}`), ['name'.repeat(60)]: JSON.stringify({layers: Array(300).fill(64)})},
    endCause: failed ? 'USER_ERROR' : '', message: failed ? traceback : '',
    attempts: [{number: 1, state: 'EXITED', exitCode: failed ? 1 : 0, message: failed ? traceback : '', startTime: new Date(kNow - 1e6).toISOString(), endTime: new Date(kNow - 9e5).toISOString()}],
  };
}

function curvesOf({columns}) {
  const trials = columns.id.subarray(0, 10);
  return {
    trial: trials,
    start: Int32Array.from({length: trials.length + 1}, (_, i) => i * 10),
    step: Float64Array.from({length: trials.length * 10}, (_, i) => (i % 10) + 1),
    value: Float32Array.from({length: trials.length * 10}, (_, i) => 1 + 1 / ((i % 10) + 1)),
  };
}

function ofStudy(found, rest) {
  const table = (columns, header = {}) => ({
    type: 'application/vnd.vernier.columns', body: encodeColumns({rows: 0, sequence: 1, full: true, dictionaries: found.dictionaries, ...header}, columns),
  });
  switch (rest.split('/')[0]) {
    case '':
      return found.info;
    case 'trials':
      return table(found.columns);
    case 'select':
      return table({id: new Int32Array(0)}); // No filter of the tests fits anything.
    case 'curves':
      return table(curvesOf(found));
    case 'timeline':
      return table({
        trial: Int32Array.of(1), attempt: Int32Array.of(1), slot: Int32Array.of(0), start: Float64Array.of(kNow - 1e6),
        end: Float64Array.of(kNow - 9e5), end_cause: Uint8Array.of(0), state: Uint8Array.of(0),
      }, {slots: ['0']});
    case 'events':
      return {events: [{sequence: 1, time: kNow, kind: 'trial.failed', trial: 2, attempt: 0, payload: {cause: 'user_error', message: traceback},
        words: {subject: 'Trial 2', what: 'failed', more: `user error, ${traceback}`, isBad: true}}]};
    case 'log':
      return {begin: 0, end: traceback.length, size: traceback.length, text: traceback, replicas: ['master-replica-0']};
    case 'files':
      return {path: '', entries: []};
    default:
      return null;
  }
}

function called(method, request) {
  const found = studies.get(request.study ?? request.jobId);
  switch (method) {
    case 'GetInsights':
      return insightsOf(found);
    case 'GetTrial':
      return trialOf(found, Number(request.trialId));
    case 'GetTrialCommand':
      return {line: `cd /work && python3 train.py --${'name'.repeat(60)} 0.5`};
    case 'GetStudy':
      return {workers: [{name: `process 4711 on ${'machine'.repeat(20)}`, presence: 'RUNS', openTrialCount: 2, lastSeenTime: new Date(kNow - 1e5).toISOString()}]};
    case 'Explain':
      return {text: traceback};
    default:
      return {};
  }
}

function answerJson(path, body) {
  if (path === '/ui/session') return {name: 'me', project: '', canWrite: true, canRun: true, version: '1', csrf: 'x', now: kNow};
  if (path === '/ui/api/jobs') return {jobs: [...studies.values()].map(({info}) => info)};
  if (path === '/ui/api/changes') return {type: 'text/event-stream', body: ': \n\n'};
  const [, id, rest] = /^\/ui\/api\/studies\/([^/]+)\/?(.*)$/.exec(path) ?? [];
  if (id) return ofStudy(studies.get(decodeURIComponent(id)), rest);
  const [, method] = /^\/ui\/rpc\/vernier\.v1\.\w+\/(\w+)$/.exec(path) ?? [];
  return method ? called(method, JSON.parse(body || '{}')) : null;
}

export function answer(path, body) {
  const found = answerJson(path, body);
  if (found === null || (found.type && found.body !== undefined)) return found;
  return {type: 'application/json', body: JSON.stringify(found)};
}
