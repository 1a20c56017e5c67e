/**
 * A task's recorded calls as a plan: what an agent would have had to say before its first call. What this assumes of a planner, for each argument, the first that fits:
 *
 * - The user's words have the value, or there is none (null), or nothing was called before: the plan says it.
 * - An earlier call gave it, and nothing has to be chosen among several to get there: the plan refers to it.
 * - It is a list, and each element is one of these: the plan says the list, element by element.
 * - Otherwise the plan asks a model about all that earlier calls gave; of an argument with few values, for one of these.
 *
 * The plan has the recorded calls and no others: branches and loops of a planner that did not know them are not lifted.
 *
 * @param {{ prompt: string, calls: { tool: string, arguments: object, result: unknown }[] }} task
 * @param {(tool: string, argument: string) => object | null} schemaOfArgument what is said of an argument, as JSON Schema; null: nothing
 * @returns {{ plan: object, results: unknown[], answers: unknown[] }} the plan, as JSON, and what its calls and its questions were given, in their order
 */
export function lift({ prompt, calls }, schemaOfArgument = () => null) {
  const steps = [];
  const answers = [];
  const earlier = [];
  for (const [i, { tool, arguments: given, result }] of calls.entries()) {
    const said = Object.entries(given).map(([name, value]) => [name, known(value) ?? asked(value, name, i)]);
    const as = `result${i + 1}`;
    steps.push({ id: `call${i + 1}`, call: tool, with: Object.fromEntries(said), as });
    earlier.push({ as, result });
  }
  return {
    plan: { version: 1, goal: prompt, inputs: {}, steps },
    results: calls.map(({ result }) => result),
    answers,
  };

  function known(value) {
    if (value === null || typeof value === 'boolean' || earlier.length === 0 || isNamed(value, prompt))
      return { literal: value };
    for (const { as, result } of [...earlier].reverse()) {
      const path = pathTo(result, value);
      if (path !== null) return path.length === 0 ? { ref: as } : { ref: as, path };
    }
    if (!Array.isArray(value)) return null;
    const list = value.map(known);
    return list.includes(null) ? null : { list };
  }

  function asked(value, name, i) {
    const { tool } = calls[i];
    const as = `${name}${i + 1}`;
    const question = `What is ${name} of the next call, ${tool}?`;
    const schema = schemaOfArgument(tool, name) ?? schemaOf(value);
    const about = earlier.map(({ as: ref }) => ({ ref }));
    steps.push({ id: `ask${i + 1}_${name}`, ask: { question, about, schema }, as });
    answers.push(value);
    return { ref: as };
  }
}

/** Whether the user's words have a text or a number, as a word or words of its own. */
export function isNamed(value, words) {
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  const text = String(value).trim().toLowerCase();
  if (text === '') return true;
  const all = words.toLowerCase();
  for (let at = all.indexOf(text); at >= 0; at = all.indexOf(text, at + 1))
    if (!/[\p{L}\p{N}]/u.test(all.charAt(at - 1)) && !/[\p{L}\p{N}]/u.test(all.charAt(at + text.length)))
      return true;
  return false;
}

/** The path to a part that is this value, if nothing has to be chosen among several to get there; null if there is none. */
function pathTo(result, value) {
  if (JSON.stringify(result) === JSON.stringify(value)) return [];
  if (Array.isArray(result)) {
    if (result.length !== 1) return null;
    const rest = pathTo(result[0], value);
    return rest === null ? null : [0, ...rest];
  }
  if (typeof result !== 'object' || result === null) return null;
  for (const [key, part] of Object.entries(result)) {
    const rest = pathTo(part, value);
    if (rest !== null) return [key, ...rest];
  }
  return null;
}

function schemaOf(value) {
  if (Array.isArray(value)) return { type: 'array', items: value.length === 0 ? {} : schemaOf(value[0]) };
  if (typeof value === 'object' && value !== null) return {};
  return { type: typeof value };
}
