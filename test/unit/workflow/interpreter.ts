import { compileExpression } from '../../../bindings/languages/expression/index.js';
import { schemaOfType } from '../../../bindings/proofs/contract/index.js';
import {
  type Json,
  type Plan,
  parsed,
  type Step,
  type Value,
} from '../../../bindings/proofs/workflow/index.js';

/** What runs need of their surroundings. */
export interface Host {
  call(tool: string, given: Readonly<Record<string, unknown>>): unknown;
  ask(question: string, about: readonly unknown[], schema: Readonly<Record<string, unknown>>): unknown;
}

type Names = Readonly<Record<string, unknown>>;

/** What a list of steps came to: the names that it gave, or the value that it returned. */
type Outcome = { readonly names: Names } | { readonly returned: unknown };

/** Runs a plan by its definition, for comparison. @throws Error if the run ends before its end */
export function interpret(plan: Plan, inputs: Readonly<Record<string, Json>>, host: Host): unknown {
  const outcome = steps(plan.steps, inputs, host);
  return 'returned' in outcome ? outcome.returned : undefined;
}

function steps(list: readonly Step[], given: Names, host: Host): Outcome {
  let names = given;
  for (const step of list) {
    const outcome = run(step, names, host);
    if ('returned' in outcome) return outcome;
    names = outcome.names;
  }
  return { names };
}

function run(step: Step, names: Names, host: Host): Outcome {
  const of = (value: Value, within = names) => evaluate(value, within);
  switch (step.kind) {
    case 'call': {
      const given = Object.fromEntries(Object.entries(step.with).map(([name, value]) => [name, of(value)]));
      let result: unknown;
      try {
        result = host.call(step.tool, given);
      } catch (error) {
        if (step.onError !== 'skip') throw error;
      }
      return { names: step.as === undefined ? names : { ...names, [step.as]: result } };
    }
    case 'ask':
      return {
        names: {
          ...names,
          [step.as]: host.ask(
            step.question,
            step.about.map((one) => of(one)),
            schemaOfType(step.type),
          ),
        },
      };
    case 'let':
      return { names: { ...names, [step.name]: of(step.be) } };
    case 'if': {
      const side = holds(step.condition.source, compileExpression(parsed(step.condition))(names, {})) ? 0 : 1;
      const outcome = steps(side === 0 ? step.then : step.else, names, host);
      if ('returned' in outcome) return outcome;
      const yields = Object.entries(step.yields ?? {}).map(([name, pair]) => [
        name,
        of(pair[side], outcome.names),
      ]);
      return { names: { ...names, ...Object.fromEntries(yields) } };
    }
    case 'forEach': {
      const list = of(step.in) as unknown[];
      if (step.atMost !== undefined && list.length > step.atMost) throw new Error('too many');
      const collected: Record<string, unknown[]> = Object.fromEntries(
        Object.keys(step.collect ?? {}).map((name) => [name, []]),
      );
      for (const item of list) {
        const outcome = steps(step.do, { ...names, [step.item]: item }, host);
        if ('returned' in outcome) return outcome;
        for (const [name, value] of Object.entries(step.collect ?? {}))
          collected[name].push(of(value, outcome.names));
      }
      return { names: { ...names, ...collected } };
    }
    case 'fold': {
      let accumulator = of(step.from);
      for (const item of of(step.in) as unknown[]) {
        const outcome = steps(
          step.do,
          { ...names, [step.item]: item, [step.accumulator]: accumulator },
          host,
        );
        if ('returned' in outcome) return outcome;
        accumulator = of(step.next, outcome.names);
      }
      return { names: { ...names, [step.as]: accumulator } };
    }
    case 'require':
      if (!holds(step.condition.source, compileExpression(parsed(step.condition))(names, {})))
        throw new Error(step.otherwise);
      return { names };
    case 'return':
      return { returned: of(step.value) };
  }
}

function holds(source: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw new TypeError(`${source} is no condition`);
  return value;
}

function evaluate(value: Value, names: Names): unknown {
  switch (value.kind) {
    case 'literal':
      return value.value;
    case 'reference':
      return value.path.reduce<unknown>(
        (so, step) => (so as Record<string | number, unknown>)[step],
        names[value.name],
      );
    case 'list':
      return value.of.map((one) => evaluate(one, names));
    case 'record':
      return Object.fromEntries(
        Object.entries(value.fields).map(([name, one]) => [name, evaluate(one, names)]),
      );
    case 'text':
      return value.of.map((one) => String(evaluate(one, names))).join('');
    case 'expression':
      return compileExpression(parsed(value.expression))(names, {});
  }
}
