/**
 * A task's recorded calls as a plan: what an agent would have had to say before its first call. An argument that the user's words have is said; one that an earlier call gave, whatever else
 * that call gives, is referred to; any other is asked of a model about what earlier calls gave.
 *
 * @param {{ prompt: string, calls: { tool: string, arguments: object, result: unknown }[] }} task
 * @returns {{ plan: object, results: Map<string, unknown>, answers: Map<string, unknown> }} the plan, as JSON, and what its steps were given
 */
export function lift({ prompt, calls }) {
  const steps = [];
  const results = new Map();
  const answers = new Map();
  const earlier = [];
  for (const [i, call] of calls.entries()) {
    const given = {};
    for (const [name, value] of Object.entries(call.arguments)) given[name] = said(value, name, i);
    const id = `call${i + 1}`;
    const as = `result${i + 1}`;
    steps.push({ id, call: call.tool, with: given, as });
    results.set(id, call.result);
    earlier.push({ as, result: call.result });
  }
  return { plan: { version: 1, goal: prompt, inputs: {}, steps }, results, answers };

  function said(value, name, i) {
    if (value === null || typeof value === 'boolean' || earlier.length === 0 || isNamed(value, prompt))
      return { literal: value };
    if (Array.isArray(value) && value.length > 0 && value.every((one) => isNamed(one, prompt)))
      return { literal: value };
    for (const { as, result } of [...earlier].reverse()) {
      const path = pathTo(result, value);
      if (path !== null) return path.length === 0 ? { ref: as } : { ref: as, path };
    }
    const as = `${name}${i + 1}`;
    const id = `ask${i + 1}_${name}`;
    steps.push({
      id,
      ask: {
        question: `What is ${name} of the next call, ${calls[i].tool}?`,
        about: earlier.map(({ as: ref }) => ({ ref })),
        schema: schemaOf(value),
      },
      as,
    });
    answers.set(id, value);
    return { ref: as };
  }
}

/** Whether the user's words have a text or a number, as a word or words of its own. */
export function isNamed(value, words) {
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  const text = String(value).toLowerCase();
  if (text.trim() === '') return true;
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
