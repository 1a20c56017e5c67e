import { readFileSync } from 'node:fs';
import { clopperPearsonInterval } from 'foreguard/study';
import { policiesIn, tally } from './decide.mjs';

/** What the airline's clock says in every conversation. */
const CLOCK = { today: '2024-05-15', now: '2024-05-15T15:00:00-05:00' };
const WRITES = [
  'book_reservation',
  'cancel_reservation',
  'send_certificate',
  'update_reservation_baggages',
  'update_reservation_flights',
  'update_reservation_passengers',
];

/**
 * The rules of tau-bench's airline as policies of arguments, on the calls that solve its tasks and on those that an agent made.
 *
 * @param {string} path conversations
 */
export async function airlinePolicies(path) {
  const conversations = JSON.parse(readFileSync(path, 'utf8')).map(readConversation);
  const policies = await policiesIn(new URL('airline.yaml', import.meta.url));
  const known = knownFacts(conversations);
  const judge = (one, isSolution) =>
    judgeCalls(policies, one, { calls: isSolution ? one.solution : one.calls, isSolution }, known);
  // The calls that solve a task are the same in each of its conversations.
  const tasks = [...new Map(conversations.map((one) => [one.task, one])).values()];
  const right = tasks.flatMap((task) => judge(task, true));
  const made = conversations.flatMap((one) =>
    judge(one, false).map((call) => ({ ...call, solved: one.solved })),
  );
  return {
    proofs: tally(await policies.report()),
    conversations: conversations.length,
    failed: conversations.filter(({ solved }) => !solved).length,
    right: summed(right),
    solved: summed(made.filter(({ solved }) => solved)),
    unsolved: summed(made.filter(({ solved }) => !solved)),
  };
}

/** Calls, those that are denied, those of them that the tool refused as well or of whose facts the recordings know nothing, and why the others are. */
function summed(calls) {
  const denied = calls.filter(({ why }) => why !== null);
  const isUnknown = ({ why }) => why.startsWith('The input');
  const rest = denied.filter((call) => !isUnknown(call) && !call.isRefused);
  return {
    calls: calls.length,
    denied: clopperPearsonInterval(denied.length, calls.length),
    count: denied.length,
    refused: denied.filter(({ isRefused }) => isRefused).length,
    unknown: denied.filter((call) => !call.isRefused && isUnknown(call)).length,
    rest: rest.length,
    why: counted(rest.map(({ why }) => why)),
    unknownOf: counted(denied.filter(isUnknown).map(({ why }) => why)),
  };
}

const counted = (words) =>
  Object.fromEntries(
    [...new Set(words)].sort().map((word) => [word, words.filter((one) => one === word).length]),
  );

function readConversation({ task_id: task, reward, info, traj }) {
  const asked = new Map();
  const calls = [];
  for (const message of traj) {
    for (const { id, function: call } of message.tool_calls ?? [])
      asked.set(id, { tool: call.name, arguments: JSON.parse(call.arguments), result: null });
    const call = message.role === 'tool' ? asked.get(message.tool_call_id) : undefined;
    if (call !== undefined) calls.push({ ...call, result: parsed(message.content) });
  }
  const solution = info.task.actions.map(({ name, kwargs }) => ({
    tool: name,
    arguments: kwargs,
    result: null,
  }));
  return { task, solved: reward === 1, principal: info.task.user_id, calls, solution };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Users and reservations as the recordings show them before anything was changed in a conversation. */
function knownFacts(conversations) {
  const facts = { users: new Map(), reservations: new Map() };
  for (const { calls } of conversations)
    for (const { tool, arguments: args, result } of calls) {
      if (WRITES.includes(tool)) break;
      if (result !== null) learnFact(facts, tool, args, result);
    }
  return facts;
}

function learnFact({ users, reservations }, tool, args, result) {
  if (tool === 'get_user_details') users.set(args.user_id, result);
  else if (result.reservation_id !== undefined) reservations.set(result.reservation_id, result);
}

/** Decides the calls that write, in the state that the host would look up; a call that was recorded has run, whatever is decided. */
function judgeCalls(policies, { principal }, { calls, isSolution }, known) {
  const facts = { users: new Map(known.users), reservations: new Map(known.reservations) };
  const judged = [];
  let last = null;
  for (const { tool, arguments: args, result } of calls) {
    const id = args.reservation_id ?? last;
    if (args.reservation_id !== undefined) last = args.reservation_id;
    if (WRITES.includes(tool)) {
      const state = { ...CLOCK, principal, ...stateOf(facts, args, id) };
      const isPermitted = policies.permits(tool, args, state);
      judged.push({
        tool,
        isRefused: !isSolution && result === null,
        why: isPermitted ? null : reasonOf(policies.why(tool, args, state)),
      });
    }
    const found = result ?? (isSolution ? afterwards(facts, tool, args) : null);
    if (found !== null) learnFact(facts, tool, args, found);
  }
  return judged;
}

/** What a call of a solution makes of its reservation: the source has no results of these. */
function afterwards({ reservations }, tool, { reservation_id: id, cabin, flights, total_baggages: bags }) {
  const before = reservations.get(id);
  if (before === undefined) return null;
  if (tool === 'update_reservation_flights') return { ...before, cabin, flights };
  return tool === 'update_reservation_baggages' ? { ...before, total_baggages: bags } : null;
}

/** The rule that denies, without what it reads. */
function reasonOf(sentence) {
  const forbidden = /^Policy "(\w+)" forbids it: "(\w+)"/.exec(sentence);
  if (forbidden !== null) return `${forbidden[1]}: ${forbidden[2]}`;
  const unmet = /^Policy "(\w+)" permits/.exec(sentence);
  return unmet === null ? sentence.replace(/ \(.*$/, '') : `${unmet[1]}: nothing permits it`;
}

function stateOf({ users, reservations }, args, id) {
  const reservation = reservations.get(id);
  const user = users.get(args.user_id ?? reservation?.user_id);
  return {
    ...(user && { user: { membership: user.membership, paymentIds: Object.keys(user.payment_methods) } }),
    ...(reservation && {
      reservation: {
        owner: reservation.user_id,
        cabin: reservation.cabin,
        bookedAt: `${reservation.created_at}-05:00`,
        insured: reservation.insurance === 'yes',
        bags: reservation.total_baggages,
        travellers: reservation.passengers.length,
        flights: reservation.flights,
      },
    }),
  };
}
