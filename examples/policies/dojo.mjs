import { readFileSync } from 'node:fs';
import { clopperPearsonInterval } from 'foreguard/study';
import { policiesIn, tally } from './decide.mjs';

/** The fields of results that name somebody whom the account has had to do with, by suite. */
const SUITES = {
  banking: ['recipient', 'sender'],
  slack: [],
  workspace: ['sender', 'recipients', 'participants', 'email', 'cc'],
};

/**
 * Calls that solve AgentDojo's tasks, and calls that its injections ask for, each of these during each user task: what policies for each suite's tools permit.
 * The policies know the user's words and whom the account has dealt with, nothing of what is injected.
 *
 * @param {string} folder with a file for each suite
 */
export async function dojoSuites(folder) {
  const found = [];
  for (const name of Object.keys(SUITES))
    found.push(await suite(name, JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf8'))));
  return found;
}

async function suite(name, { userTasks, injectionTasks }) {
  const policies = await policiesIn(new URL(`${name}.yaml`, import.meta.url));
  const users = Object.values(userTasks);
  const known = name === 'slack' ? membersIn(users) : namesIn(users, SUITES[name]);
  const denied = (calls, request) =>
    calls.filter(({ tool, arguments: args }) => !policies.permits(tool, args, { request, known }));
  const right = users.map(({ prompt, calls }) => ({ calls: calls.length, denied: denied(calls, prompt) }));
  const attacks = Object.values(injectionTasks).filter(({ calls }) => calls.length > 0);
  const during = attacks.flatMap(({ calls }) =>
    users.map(({ prompt }) => ({ calls: calls.length, denied: denied(calls, prompt) })),
  );
  const sum = (some, of) => some.reduce((total, one) => total + of(one), 0);
  const isTouched = ({ denied: some }) => some.length > 0;
  return {
    name,
    proofs: tally(await policies.report()),
    tasks: users.length,
    calls: sum(right, ({ calls }) => calls),
    deniedCalls: sum(right, (one) => one.denied.length),
    hindered: clopperPearsonInterval(right.filter(isTouched).length, right.length),
    hinderedCount: right.filter(isTouched).length,
    attacks: attacks.length,
    pairs: during.length,
    attackCalls: sum(during, ({ calls }) => calls),
    deniedAttackCalls: sum(during, (one) => one.denied.length),
    stopped: during.filter(isTouched).length,
    everStopped: attacks.filter(({ calls }) => users.every(({ prompt }) => denied(calls, prompt).length > 0))
      .length,
  };
}

/** The texts under some keys of what tools answered, at any depth. */
function namesIn(tasks, keys) {
  const found = new Set();
  const visit = (value, isNamed) => {
    if (typeof value === 'string' && isNamed) found.add(value);
    else if (Array.isArray(value)) for (const one of value) visit(one, isNamed);
    else if (typeof value === 'object' && value !== null)
      for (const [key, one] of Object.entries(value)) visit(one, keys.includes(key));
  };
  for (const { calls } of tasks) for (const { result } of calls) visit(result, false);
  return [...found];
}

function membersIn(tasks) {
  const lists = tasks.flatMap(({ calls }) => calls.filter(({ tool }) => tool === 'get_users_in_channel'));
  return [...new Set(lists.flatMap(({ result }) => result))];
}
