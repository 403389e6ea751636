import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatPath, formatQuery, kStudyTabs, parsePath, parseQuery, type Place } from '../src/router';
import { parseFragment } from '../src/views/login';

test('places and addresses are each other’s', () => {
  const places: Place[] = [
    { view: 'jobs' }, { view: 'new' }, { view: 'machine' }, { view: 'login' },
    { view: 'trial', study: 'owners/me/studies/a b@p', trial: 7 },
    { view: 'compare', study: 'digits' },
    ...kStudyTabs.map((tab): Place => ({ view: 'study', study: 'a%/b', tab })),
  ];
  for (const place of places) assert.deepEqual(parsePath(formatPath(place)), place);
});

test('the root is the list of jobs, and anything else is unknown', () => {
  for (const path of ['/ui', '/ui/', '/ui/jobs', '/ui/jobs/']) assert.deepEqual(parsePath(path), { view: 'jobs' });
  for (const path of ['/ui/x', '/ui/jobs/a/nothing', '/ui/jobs/a/trials/b', '/ui/jobs/a/trials/1/2']) assert.equal(parsePath(path).view, 'unknown');
  assert.deepEqual(parsePath('/ui/jobs/%E0%A4%A'), { view: 'study', study: '%E0%A4%A', tab: 'overview' });
});

test('queries keep their values and leave out empty ones', () => {
  const query = { q: 'lr<0.1 AND a="b&c"', b: 'p:x=1..2' };
  assert.deepEqual(parseQuery(formatQuery(query)), query);
  assert.equal(formatQuery({ q: '' }), '');
});

test('the fragment of a sign-in is a code and where to go', () => {
  assert.deepEqual(parseFragment('#abc'), { code: 'abc', next: '/ui/jobs' });
  assert.deepEqual(parseFragment('#abc/jobs/digits'), { code: 'abc', next: '/ui/jobs/digits' });
  assert.equal(parseFragment(''), null);
});
