import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Desk, Entry } from './desk.js';
import { IN_PROCESS } from './inProcess.js';
import { Proxies } from './mcp.js';
import { Office } from './office.js';
import { call, type Turn, WAYS, type Way } from './ways.js';

/** Milliseconds within which every turn is answered, on a busy machine. */
/** What hangs is found out; a busy machine is no fault. */
const LIMIT_MS = 300_000;
const proxies = new Proxies();
const ENTRIES: readonly Entry[] = [...IN_PROCESS, proxies.stdio, proxies.http];
beforeAll(() => proxies.start());
afterAll(() => proxies.stop());
const LAWFUL: Turn = [call('read', { folder: 'news' })];

const CATEGORIES = [...new Set(WAYS.map(({ category }) => category))];

/** By entry and category how many ways were tried. */
const tried = new Map<string, Map<string, number>>();
function count(entry: Entry, { category }: Way): void {
  const row = tried.get(entry.name) ?? new Map<string, number>();
  row.set(category, (row.get(category) ?? 0) + 1);
  tried.set(entry.name, row);
}

async function inTime<T>(work: Promise<T>): Promise<T | 'no answer in time'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'no answer in time'>((resolve) => {
    timer = setTimeout(resolve, LIMIT_MS, 'no answer in time');
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** What is wrong with a way in this run; empty if nothing is. */
async function complaints(desk: Desk, way: Way): Promise<string[]> {
  const { office } = desk;
  const found: string[] = [];
  const before = office.forbidden.length;
  if (way.reply !== undefined) office.person = way.reply();
  if (way.fate === 'ended') await desk.end();
  for (const turn of way.turns) {
    const answered = await inTime(desk.play(turn));
    if (answered !== turn.length) found.push(`answered ${answered} of ${turn.length}`);
  }
  found.push(...office.forbidden.slice(before));
  if (way.category === 'names' && office.received.some(({ tool }) => tool !== 'read'))
    found.push('a tool ran');
  office.person = new Office().person;
  if (way.over) return found;
  const reads = () => office.received.filter(({ tool }) => tool === 'read').length;
  const readBefore = reads();
  await inTime(desk.play(LAWFUL));
  if (reads() !== readBefore + 1) found.push('the lawful call that follows has not run');
  return found;
}

async function inRunOfItsOwn(entry: Entry, way: Way): Promise<string[]> {
  if (way.fate === 'killed') {
    // All its runs together, each of them in a process of its own.
    const runs = await inTime(entry.killed(way.name, [...way.before, ...way.turns], way.reply));
    if (typeof runs === 'string') return [runs];
    return runs.flatMap(({ forbidden, asked, answered, verified }, i) => [
      ...forbidden.map((what) => `killed at record ${i + 1}: ${what}`),
      ...(asked === answered ? [] : [`killed at record ${i + 1}: answered ${answered} of ${asked}`]),
      ...(verified ? [] : [`killed at record ${i + 1}: the log does not verify`]),
    ]);
  }
  const desk = await entry.open(way.name);
  for (const turn of way.before) await desk.play(turn);
  const found = await complaints(desk, way);
  if ((await inTime(desk.close())) === false) found.push('the log does not verify');
  return found;
}

/** Ways that need only one thing to have happened before share a run, in which it has. */
async function inSharedRun(entry: Entry, ways: readonly Way[]): Promise<string[]> {
  const desk = await entry.open(ways[0].category);
  for (const turn of ways[0].before) await desk.play(turn);
  const found: string[] = [];
  for (const way of ways) {
    found.push(...(await complaints(desk, way)).map((what) => `${way.category}, ${way.name}: ${what}`));
    count(entry, way);
  }
  if ((await inTime(desk.close())) === false) found.push(`${ways[0].category}: the log does not verify`);
  return found;
}

/** The ways in groups that share a run, and those that have one each. */
function grouped(entry: Entry, ways: readonly Way[]): readonly (readonly Way[])[] {
  if (!entry.shares) return ways.map((way) => [way]);
  const shared = CATEGORIES.map((category) => ways.filter((way) => way.category === category && !way.fresh));
  return [
    ...shared.filter(({ length }) => length > 0),
    ...ways.filter(({ fresh }) => fresh).map((way) => [way]),
  ];
}

describe.each(ENTRIES)('hostile calls by $name', (entry) => {
  const ways = WAYS.filter(({ objects }) => entry.objects || !objects);

  it('get nothing forbidden done, and are answered', async () => {
    const found: string[] = [];
    const groups = [...grouped(entry, ways)];
    const work = async () => {
      for (let group = groups.shift(); group !== undefined; group = groups.shift()) {
        if (group.length > 1) {
          found.push(...(await inSharedRun(entry, group)));
          continue;
        }
        const [way] = group;
        found.push(
          ...(await inRunOfItsOwn(entry, way)).map((what) => `${way.category}, ${way.name}: ${what}`),
        );
        count(entry, way);
      }
    };
    // Runs wait for people and processes most of the time.
    await Promise.all(Array.from({ length: 4 }, work));
    expect(found).toEqual([]);
  });
});

it.each(ENTRIES)('lawful calls by $name do run', async (entry) => {
  const desk = await entry.open('lawful');
  const lawful: Turn[] = [
    [call('send', { to: 'eve@evil.example' })],
    [call('read', { folder: 'private' })],
    [call('send', { to: 'Ann.B+c@DESK.example', text: 'eve@evil.example' })],
    [call('forward', { to: ['ann@desk.example', 'bob@desk.example'] })],
    [call('delete', { path: '/srv/scratch/../scratch/old%20one/a.txt' })],
    [call('fetch', { url: 'https://DOCS.example:8443/a?b=c@d' })],
    [call('shell', { command: 'cat README.md' })],
    [call('pay', { amount: 60 })],
    [call('pay', { amount: 40 })],
    ...[1, 2, 3].map((text) => [call('write', { text })]),
    [call('wire', { to: 'ann' })],
  ];
  desk.office.person = () => ({ approved: true });
  for (const turn of lawful) await desk.play(turn);
  expect(desk.office.received.map(({ tool }) => tool)).toEqual(lawful.map(([{ name }]) => name));
  expect(desk.office.forbidden).toEqual([]);
  expect(await desk.close()).not.toBe(false);
});

const never = (name: string, args: object, more: Parameters<typeof call>[2] = {}) =>
  call(name, { ...args, never: true }, more);
const isLawful = (args: unknown) => (args as { folder?: string }).folder === 'news';
const EVE = { to: 'eve@evil.example' };

it.each<[string, Turn, Turn]>([
  ['a payment', [never('pay', { amount: 60 })], [call('pay', { amount: 60 })]],
  [
    'a payment, by the same id',
    [never('pay', { amount: 60 }, { id: 'again' })],
    [call('pay', { amount: 60 }, { id: 'again' })],
  ],
  ['the reading of a secret', [never('read', { folder: 'private' })], [call('send', EVE)]],
])('a tool that never answers: %s that the client gives up counts as made', async (name, calls, after) => {
  const turns = [after, after, LAWFUL];
  const run = await inTime(proxies.givenUp(name, calls, turns));
  if (typeof run === 'string') throw new Error(run);
  const { office, answered, verified } = run;
  expect(office.forbidden).toEqual([]);
  expect([answered, verified]).toEqual([turns.length, true]);
  // Those that were given up, and none of what the rules forbid after them.
  expect(office.received.filter(({ args }) => !isLawful(args))).toHaveLength(calls.length);
});

it('what is forbidden is seen by the oracle', () => {
  const office = new Office();
  const bad = WAYS.filter(({ category }) => ['paths', 'addresses', 'commands'].includes(category));
  for (const { turns } of bad) {
    const [[{ name, args }]] = turns;
    office.received.push({
      tool: String(name),
      args: typeof args === 'function' ? JSON.parse(args()) : null,
    });
  }
  const seen = office.forbidden.length;
  expect(seen).toBe(bad.length);
});

it('over HTTP leave a log that verifies', async () => {
  expect(await proxies.endShared()).toBe(true);
});

it('are at least 500 pairs of a way and an entry', () => {
  const row = (name: string, cells: readonly (string | number)[]) =>
    `${name.padEnd(12)}${cells.map((cell) => String(cell).padStart(16)).join('')}`;
  const rows = [...tried].map(([name, counts]) =>
    row(
      name,
      CATEGORIES.map((category) => counts.get(category) ?? 0),
    ),
  );
  const pairs = [...tried.values()].flatMap((counts) => [...counts.values()]).reduce((a, b) => a + b, 0);
  console.log([row('', CATEGORIES), ...rows, `${WAYS.length} ways, ${pairs} pairs`].join('\n'));
  expect(pairs).toBeGreaterThanOrEqual(500);
});
