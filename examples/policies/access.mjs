import { readFileSync } from 'node:fs';
import { DraftFile, inductiveModel, synthesizePolicy } from 'foreguard/policy';
import { policiesIn, policiesOf, tally } from './decide.mjs';

const read = (path) => JSON.parse(readFileSync(path, 'utf8'));

/**
 * Two published sets of rules: proved for every input, and every case compared with a look into the data that shares no code with policies.
 *
 * @param {string} folder with `eicu-ac.json` and `mind2web-sc.json`
 */
export async function accessRules(folder) {
  return [await columns(read(`${folder}/eicu-ac.json`)), await actions(read(`${folder}/mind2web-sc.json`))];
}

const quoted = (texts) => `[${texts.map((text) => JSON.stringify(text)).join(', ')}]`;

/** A policy from a table of roles, databases and columns: a request is the list of columns that it reads, each as `database.column`. */
export function columnPolicy({ databases, roles }) {
  const named = (tables) =>
    Object.entries(tables).flatMap(([base, all]) => all.map((one) => `${base}.${one}`));
  const known = named(databases);
  const lines = Object.entries(roles).map(([role, tables]) => {
    const open = named(tables);
    const closed = known.filter((column) => !open.includes(column));
    return {
      role: JSON.stringify(role),
      word: role.replaceAll(' ', '_'),
      open: quoted(open),
      closed: quoted(closed),
    };
  });
  return `version: 1
inputs:
  role: { from: state.role, enum: ${quoted(Object.keys(roles))} }
  columns: { list: text }
policies:
  columns:
    tools: [read]
    permit:
${lines.map(({ role, word, open }) => `      ${word}: 'role == ${role} && columns.all(c, c in ${open})'`).join('\n')}
    forbid: { nothing: 'size(columns) == 0' }
    ensures:
${lines
  .flatMap(({ role, word, open, closed }) => [
    `      ${word}_closed: 'role == ${role} && columns.exists(c, c in ${closed}) -> !permitted'`,
    `      ${word}_exact: 'role == ${role} -> (permitted ? !columns.exists(c, !(c in ${open})) : size(columns) < 1 || columns.exists(c, !(c in ${open})))'`,
  ])
  .join('\n')}
      known: 'permitted -> columns.all(c, c in ${quoted(known)})'
`;
}

async function columns(table) {
  const policies = await policiesOf(columnPolicy(table), 'eicu-ac');
  const bases = Object.keys(table.databases);
  const names = [...new Set(Object.values(table.databases).flat())];
  const mayRead = (role, base, column) => table.roles[role]?.[base]?.includes(column) ?? false;
  const counts = counter();
  const ask = (role, ...asked) =>
    counts.count(
      policies.permits('read', { columns: asked.map(([base, column]) => `${base}.${column}`) }, { role }),
      asked.every(([base, column]) => mayRead(role, base, column)),
    );
  const pairs = bases.flatMap((base) => names.map((column) => [base, column]));
  const real = Object.entries(table.databases).flatMap(([base, all]) => all.map((column) => [base, column]));
  for (const role of [...Object.keys(table.roles), 'visitor']) {
    for (const pair of pairs) ask(role, pair);
    for (const one of real) for (const other of real) ask(role, one, other);
    const open = real.filter(([base, column]) => mayRead(role, base, column));
    if (open.length > 0) ask(role, ...open);
    for (const one of real) ask(role, ...open, one);
  }
  const synthesis = await synthesized(columnPolicy(table), 'columns');
  return { name: 'EICU-AC', proofs: tally(await policies.report()), ...counts.found, synthesis };
}

async function actions({ inputs, rules, tests, default: usual }) {
  const url = new URL('mind2web.yaml', import.meta.url);
  const policies = await policiesIn(url);
  const expected = (state) => {
    for (const { when, unless } of rules) if (holds(when, state) && !holds(unless, state)) return false;
    return usual === 'permit';
  };
  const counts = counter();
  const flags = ['domestic', 'dr_license', 'vaccine', 'membership'];
  for (const category of inputs.category.values)
    for (let age = inputs.age.min; age <= inputs.age.max; age++)
      for (let bits = 0; bits < 16; bits++) {
        const state = {
          category,
          age,
          ...Object.fromEntries(flags.map((flag, i) => [flag, ((bits >> i) & 1) === 1])),
        };
        counts.count(policies.permits('act', {}, state), expected(state));
      }
  for (const { expect, ...state } of tests)
    counts.count(policies.permits('act', {}, state), expect === 'permit');
  const synthesis = await synthesized(readFileSync(url, 'utf8'), 'web');
  return { name: 'Mind2Web-SC', proofs: tally(await policies.report()), ...counts.found, synthesis };
}

/** Whether the conditions of a policy are found again from its properties, without a language model, and after how many answers. */
async function synthesized(text, policy) {
  const file = new DraftFile(draftOf(text), policy);
  const { outcome, usage } = await synthesizePolicy(file, policy, inductiveModel(), { maxIterations: 12 });
  return { outcome, answers: usage.calls };
}

/** A file of one policy without its conditions: `permit` and `forbid`, and the lines below them. */
function draftOf(text) {
  const lines = text.split('\n');
  const isKey = (line) => /^ {4}\w/.test(line);
  let isLeftOut = false;
  return lines
    .filter((line) => {
      if (isKey(line)) isLeftOut = /^ {4}(?:permit|forbid):/.test(line);
      return !isLeftOut;
    })
    .join('\n');
}

/** A condition of the data, `NAME == VALUE` or `NAME >= NUMBER`. */
function holds(condition, state) {
  const found = /^(\w+) (==|>=) (.+)$/.exec(condition);
  if (found === null) throw new Error(`the condition ${condition} is of another form`);
  const [, name, operator, text] = found;
  const value = JSON.parse(text);
  return operator === '==' ? state[name] === value : state[name] >= value;
}

function counter() {
  const found = { cases: 0, falseAccepts: 0, falseRejects: 0 };
  const count = (isPermitted, isRight) => {
    found.cases++;
    if (isPermitted && !isRight) found.falseAccepts++;
    if (!isPermitted && isRight) found.falseRejects++;
  };
  return { found, count };
}
