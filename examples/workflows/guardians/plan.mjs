import { expressionOf, Untranslatable } from './conditions.mjs';

/**
 * The workflow of a case as a plan. The cases assign names again where they like; a plan gives each name once, so later assignments have names of their own, and
 * a name that both branches of a condition give is one of its `yields`.
 *
 * @returns the plan, the labels of the steps by their ids, and what cannot be said
 */
export function planOf({ workflow }, conditions, types) {
  const writer = new PlanWriter(conditions);
  const inputs = workflow.inputs ?? [];
  const scope = new Map(inputs.map((name) => [name, writer.fresh(name)]));
  const { steps } = writer.steps(workflow.steps, scope, new Set());
  const plan = {
    version: 1,
    goal: workflow.goal ?? '',
    inputs: Object.fromEntries(inputs.map((name) => [name, types?.(name) ?? { kind: 'any' }])),
    steps,
  };
  return { plan, labels: writer.labels, problems: writer.problems };
}

class PlanWriter {
  labels = new Map();
  /** What has no counterpart, by the step's id. */
  problems = [];
  #conditions;
  #names = new Set();

  constructor(conditions) {
    this.#conditions = conditions;
  }

  /** @param carried names that a loop around the steps would carry from round to round, if they were given anew */
  steps(given, scope, carried) {
    const steps = [];
    let names = scope;
    for (const step of given) {
      const found = this.#step(step, names, carried);
      steps.push(...found.steps);
      names = found.scope;
    }
    return { steps, scope: names };
  }

  #step(step, scope, carried) {
    const id = this.#id(step.label);
    const note = typeof step.label === 'string' && step.label !== '' ? { note: step.label } : {};
    if (step.call) return this.#call({ id, ...note }, step.call, scope, carried);
    if (step.if) return this.#branches({ id, ...note }, step.if, scope, carried);
    if (step.forEach) return this.#loop({ id, ...note }, step.forEach, scope);
    this.problems.push({ step: id, text: 'it is none of call, if and forEach' });
    return { steps: [], scope };
  }

  #call(head, { tool, arguments: given = {}, result }, scope, carried) {
    const call = { ...head, kind: 'call', tool, with: mapped(given, (value) => planValue(value, scope)) };
    if (typeof result !== 'string') return { steps: [call], scope };
    // What a loop carries is no single assignment: the name is given twice, and the plan is refused.
    const as = carried.has(result) ? scope.get(result) : this.fresh(result);
    return { steps: [{ ...call, as }], scope: new Map(scope).set(result, as) };
  }

  #branches(head, { condition, then, else: otherwise = [] }, scope, carried) {
    const first = this.steps(then, scope, carried);
    const second = this.steps(otherwise, scope, carried);
    const after = new Map(scope);
    const yields = {};
    for (const name of new Set([...first.scope.keys(), ...second.scope.keys()])) {
      const [one, other] = [first.scope.get(name), second.scope.get(name)];
      if (one === other || one === undefined || other === undefined) continue;
      const as = this.fresh(name);
      yields[as] = [reference(one), reference(other)];
      after.set(name, as);
    }
    const step = {
      ...head,
      kind: 'if',
      condition: { source: this.#expression(head.id, condition, scope) },
      then: first.steps,
      else: second.steps,
      ...(Object.keys(yields).length > 0 && { yields }),
    };
    return { steps: [step], scope: after };
  }

  #loop(head, { in: list, item, do: body }, scope) {
    // An item may not hide what is known around the loop: the name is given twice then, and the plan is refused.
    const as = scope.get(item) ?? this.fresh(item);
    const inner = new Map(scope).set(item, as);
    const from = typeof list === 'string' ? reference(scope.get(list) ?? list) : planValue(list, scope);
    const { steps } = this.steps(body, inner, new Set(scope.keys()));
    return { steps: [{ ...head, kind: 'forEach', in: from, item: as, do: steps }], scope };
  }

  #expression(id, condition, scope) {
    try {
      return expressionOf(this.#conditions[condition], (name) => scope.get(name) ?? name);
    } catch (error) {
      if (!(error instanceof Untranslatable)) throw error;
      this.problems.push({
        step: id,
        text: `its condition ${JSON.stringify(condition)} cannot be said: ${error.message}`,
      });
      return 'false';
    }
  }

  #id(label) {
    const wanted =
      String(label ?? 'step')
        .replace(/[^\w-]+/g, '_')
        .replace(/^(?![A-Za-z_])/, 's') || 'step';
    let id = wanted;
    for (let i = 2; this.labels.has(id); i++) id = `${wanted}_${i}`;
    this.labels.set(id, label);
    return id;
  }

  fresh(wanted) {
    let name = wanted;
    for (let i = 2; this.#names.has(name); i++) name = `${wanted}_${i}`;
    this.#names.add(name);
    return name;
  }
}

/** A value; only `{"ref": NAME}` alone is a reference. */
function planValue(given, scope) {
  if (Array.isArray(given))
    return hasReference(given)
      ? { kind: 'list', of: given.map((one) => planValue(one, scope)) }
      : literal(given);
  if (typeof given !== 'object' || given === null) return literal(given);
  if (isReference(given)) return reference(scope.get(given.ref) ?? given.ref);
  return hasReference(given)
    ? { kind: 'record', fields: mapped(given, (one) => planValue(one, scope)) }
    : literal(given);
}

function hasReference(given) {
  if (typeof given !== 'object' || given === null) return false;
  return isReference(given) || Object.values(given).some(hasReference);
}

export function isReference(given) {
  return (
    typeof given === 'object' &&
    given !== null &&
    typeof given.ref === 'string' &&
    Object.keys(given).length === 1
  );
}

const literal = (value) => ({ kind: 'literal', value });
const reference = (name) => ({ kind: 'reference', name, path: [] });

function mapped(record, map) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
