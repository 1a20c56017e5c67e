import { expressionOf, literalOf, Untranslatable } from './conditions.mjs';

/**
 * Tools and policy of a case as contracts. The cases know neither readers nor integrity nor stores, and no flows by control: every argument takes any data, shows
 * them to nobody, and only the rules forbid flows.
 *
 * @returns contracts for `readContracts`, and by tool the conditions that cannot be said: a call of such a tool cannot be proved
 */
export function contractsOf({ tools, policy, run }, conditions, types) {
  const allowed = new Set(Array.isArray(policy.allow) ? policy.allow : Object.keys(tools));
  const unsaid = [];
  const context = { tools, allowed, conditions, types, unsaid, constants: constantsOf(policy) };
  const declared = Object.entries(tools).filter(([name]) => allowed.has(name));
  const flows = named(policy.flows ?? [], (flow) => flowOf(flow, context));
  const rules = named(
    [...(policy.automata ?? []), ...budgetOf(run?.budgets ?? {})],
    (automaton) => automatonOf(automaton, context),
    Object.keys(flows),
  );
  return {
    contracts: {
      version: 1,
      implicit: 'data',
      tools: Object.fromEntries(declared.map(([name, tool]) => [name, toolOf(name, tool, context)])),
      ...(Object.keys(flows).length > 0 && { flows }),
      ...(Object.keys(rules).length > 0 && { rules }),
    },
    unsaid,
  };
}

/** A limit on the number of calls, as an automaton that counts them. */
function budgetOf({ tool_call: most }) {
  if (most === undefined) return [];
  const states = Array.from({ length: most + 2 }, (_, i) => `calls ${i}`);
  const transitions = states.slice(1).map((to, i) => ({ from: states[i], to, tool: '*' }));
  return [{ name: 'budget', states, initial: states[0], errors: [states[most + 1]], transitions }];
}

/** Conditions of tools read the constants of all automata; two of one name that differ mean nothing. */
function constantsOf({ automata = [] }) {
  const all = automata.flatMap(({ constants = {} }) => Object.entries(constants));
  const isOne = ([name, value]) =>
    all.every(([other, another]) => other !== name || JSON.stringify(another) === JSON.stringify(value));
  return Object.fromEntries(all.filter(isOne));
}

function toolOf(
  name,
  { parameters, returns: _, requires = [], ensures = [], frame = [], labels = [] },
  context,
) {
  const say = (list, what, isResult) =>
    list.flatMap((condition, i) => {
      const expression = conditionOf(condition, name, context.constants, context, isResult ? ['result'] : []);
      if (expression !== null) return [[`${what} ${i + 1}`, expression]];
      context.unsaid.push({ tool: name, what, condition });
      return [];
    });
  const before = Object.fromEntries([...say(requires, 'requires', false), ...say(frame, 'frame', false)]);
  const after = Object.fromEntries(say(ensures, 'ensures', true));
  return {
    arguments: Object.fromEntries(parameters.map((one) => [one.name, argumentOf(one, context)])),
    result: {
      ...typed(context.types.result(name)),
      integrity: 'trusted',
      readers: 'everyone',
      ...(labels.length > 0 && { labels: labels.map((label) => `label ${label}`) }),
    },
    ...(Object.keys(before).length > 0 && { requires: before }),
    ...(Object.keys(after).length > 0 && { ensures: after }),
    consequential: false,
  };
}

function argumentOf({ type, sink = false, optional = false }, { types }) {
  return { ...typed(types.parameter(type)), sink, optional, integrity: 'any' };
}

const typed = (type) => (typeof type === 'string' ? { type } : type);

/** A condition over the arguments of a tool; null if it cannot be said. Arguments hide constants. */
function conditionOf(condition, tool, constants, { tools, conditions }, also = []) {
  const parameters = tools[tool].parameters;
  const nameOf = (name) => {
    if (also.includes(name) || parameters.some((one) => one.name === name)) return name;
    if (Object.hasOwn(constants, name)) return literalOf(constants[name]);
    throw new Untranslatable(`${name} is neither an argument nor a constant`);
  };
  const isList = (name) =>
    parameters.find((one) => one.name === name)?.type === 'list' ||
    (Object.hasOwn(constants, name) && Array.isArray(constants[name]));
  try {
    return expressionOf(conditions[condition], nameOf, isList);
  } catch (error) {
    if (error instanceof Untranslatable) return null;
    throw error;
  }
}

/** A tool that exists and is not allowed is never called: what is about it alone can be left out. */
function isNeverCalled(tool, { tools, allowed }) {
  return Object.hasOwn(tools, tool) && !allowed.has(tool);
}

function flowOf({ source, sink, when, sanitizers = [] }, context) {
  if (isNeverCalled(source, context) || isNeverCalled(sink.tool, context)) return null;
  const to =
    sink.parameter === '*' || sink.parameter === undefined ? sink.tool : `${sink.tool}.${sink.parameter}`;
  const through = sanitizers.filter((tool) => !isNeverCalled(tool, context));
  let unless = {};
  if (typeof when === 'string' && Object.hasOwn(context.tools, sink.tool)) {
    const condition = conditionOf(when, sink.tool, context.constants, context);
    if (condition === null) context.unsaid.push({ tool: sink.tool, what: 'flow', condition: when });
    else unless = { unless: `!(${condition})` };
  }
  return { from: source, to, ...(through.length > 0 && { through }), ...unless };
}

function automatonOf({ states, errors = [], initial, constants = {}, transitions = [] }, context) {
  // It only holds constants.
  if (errors.length === 0) return null;
  const said = transitions.flatMap(({ from, to, tool, when }) => {
    if (isNeverCalled(tool, context)) return [];
    const of =
      tool === '*'
        ? { tools: [...context.allowed].filter((name) => Object.hasOwn(context.tools, name)) }
        : { tool };
    if (typeof when !== 'string' || !Object.hasOwn(context.tools, tool)) return [{ from, to, ...of }];
    const condition = conditionOf(when, tool, constants, context);
    if (condition !== null) return [{ from, to, ...of, when: condition }];
    context.unsaid.push({ tool, what: 'automaton', condition: when });
    return [];
  });
  return { automaton: { states, initial, errors, transitions: said } };
}

/** Parts by their names, each once, without those that say nothing. */
function named(parts, partOf, taken = []) {
  const found = {};
  for (const [i, part] of parts.entries()) {
    const value = partOf(part);
    if (value === null) continue;
    let name = part.name ?? `rule ${i + 1}`;
    while (Object.hasOwn(found, name) || taken.includes(name)) name = `${name}'`;
    found[name] = value;
  }
  return found;
}
