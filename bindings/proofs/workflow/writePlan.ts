import { schemaOfType } from '../contract/index.js';
import type { Json, Plan, Step, Value } from './plan.js';

/** A plan in the nested JSON form. `readPlan` reads the same plan from it. */
export function planJson(plan: Plan): Json {
  const inputs = Object.entries(plan.inputs).map(([name, type]) => [name, schemaOfType(type) as Json]);
  return { version: 1, goal: plan.goal, inputs: Object.fromEntries(inputs), steps: plan.steps.map(stepJson) };
}

function stepJson(step: Step): Json {
  const { id, note } = step;
  return { id, ...(note !== undefined && { note }), ...actionJson(step) };
}

function actionJson(step: Step): { readonly [field: string]: Json } {
  switch (step.kind) {
    case 'call': {
      const { tool, as, onError } = step;
      return {
        call: tool,
        with: each(step.with, valueJson),
        ...(as !== undefined && { as }),
        ...(onError && { onError }),
      };
    }
    case 'ask': {
      const { question, about, type, as } = step;
      return { ask: { question, about: about.map(valueJson), schema: schemaOfType(type) as Json }, as };
    }
    case 'let':
      return { let: step.name, be: valueJson(step.be) };
    case 'if': {
      const otherwise = step.else.length > 0 ? { else: step.else.map(stepJson) } : {};
      const yields = step.yields && { yields: each(step.yields, (pair) => pair.map(valueJson)) };
      return { if: step.condition.source, then: step.then.map(stepJson), ...otherwise, ...yields };
    }
    case 'forEach': {
      const { item, atMost, collect } = step;
      return {
        forEach: valueJson(step.in),
        item,
        ...(atMost !== undefined && { atMost }),
        do: step.do.map(stepJson),
        ...(collect && { collect: each(collect, valueJson) }),
      };
    }
    case 'fold': {
      const { item, accumulator, as } = step;
      const parts = {
        from: valueJson(step.from),
        accumulator,
        do: step.do.map(stepJson),
        next: valueJson(step.next),
      };
      return { fold: valueJson(step.in), item, ...parts, as };
    }
    case 'require':
      return { require: step.condition.source, else: step.otherwise };
    case 'return':
      return { return: valueJson(step.value) };
  }
}

function each<T>(
  record: Readonly<Record<string, T>>,
  write: (value: T) => Json,
): { readonly [name: string]: Json } {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, write(value)]));
}

/** A value in the nested JSON form. */
export function valueJson(value: Value): Json {
  switch (value.kind) {
    case 'literal':
      return typeof value.value === 'object' && value.value !== null ? { literal: value.value } : value.value;
    case 'reference':
      return { ref: value.name, ...(value.path.length > 0 && { path: value.path }) };
    case 'list':
      return { list: value.of.map(valueJson) };
    case 'text':
      return { text: value.of.map(valueJson) };
    case 'record':
      return { record: each(value.fields, valueJson) };
    case 'expression':
      return { expr: value.expression.source };
  }
}
