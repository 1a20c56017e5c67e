import { InvalidArgumentError, ModelError } from '../../base/errors.js';
import { hashJson } from '../../base/hashJson.js';
import { type LanguageModel, objectIn, type PromptName } from '../../base/languageModel/index.js';
import { refuseUnknownOptions } from '../../base/suggest.js';
import { printableName } from '../../base/words.js';
import type { ValueType } from '../contract/index.js';
import { checkPlan } from './checkPlan.js';
import type { Plan } from './plan.js';
import { PlanError } from './planError.js';
import { planPrompt } from './planPrompt.js';
import { planSchema, type SchemaDialect } from './planSchema.js';
import { readPlan } from './readPlan.js';
import type { ToolTypes } from './toolTypes.js';

/** What a verifier says of a plan: `verifyPlan` says so, and more. */
export interface PlanJudgement {
  readonly verdict: 'proved' | 'refuted' | 'unproved';
  readonly findings?: readonly {
    readonly kind: string;
    readonly step: string | null;
    readonly rule: string | null;
    readonly path?: readonly { readonly step: string }[];
  }[];
}

/** Options of `planVerified`. */
export interface PlanVerifiedOptions<V extends PlanJudgement> {
  readonly model: LanguageModel;
  readonly tools: ToolTypes;
  /** What is to be done, in the words of the user. */
  readonly request: string;
  /** Verifies a plan whose names and types are right. */
  readonly verify: (plan: Plan) => V | Promise<V>;
  readonly inputs?: Readonly<Record<string, ValueType>>;
  /** What plans must keep to, in the operator's words. */
  readonly policy?: string;
  /** How the plan is to be written. Default `flat`; `code` needs `read`. */
  readonly form?: 'flat' | 'nested' | 'code';
  /** The dialect of the schema that the model is given; null: none, for models without structured output. Default `json-schema`; of code none. */
  readonly dialect?: SchemaDialect | null;
  /** Reads an answer. Default: the JSON object in it. For code: `(text) => lowerCode(text, tools)`. @throws PlanError if it is no plan */
  readonly read?: (answer: string) => Plan;
  /** Most plans that are asked for. Default 3. */
  readonly attempts?: number;
  readonly signal?: AbortSignal;
}

/** An answer of the model, and why it was not taken. */
export interface PlanAttempt {
  readonly answer: string;
  /** The plan; null if the answer is none. */
  readonly plan: Plan | null;
  /** What the model was told: steps, rules, tools and its own words, and no data. Empty of the plan that was taken. */
  readonly rejections: readonly string[];
}

/** The plan that was proved, or none. */
export type PlanVerified<V extends PlanJudgement> =
  | { readonly plan: Plan; readonly verdict: V; readonly attempts: readonly PlanAttempt[] }
  | { readonly plan: null; readonly verdict: V | null; readonly attempts: readonly PlanAttempt[] };

/** Most reasons that a model is told at once. */
const MOST_REASONS = 12;
const MOST_ATTEMPTS = 20;

/**
 * Has a language model write a plan until one is proved. The model sees the request, the tools and why its plans were refused. Reasons name steps, rules and
 * tools, and cite the model's own plan at most: values with which a plan was refuted stay with the caller.
 *
 * @returns the plan that was proved, or null after the last attempt
 * @throws ModelError (rejects) if the model gives no answer; InvalidArgumentError for options that are none
 */
export async function planVerified<V extends PlanJudgement>(
  options: PlanVerifiedOptions<V>,
): Promise<PlanVerified<V>> {
  refuseUnknownOptions('planVerified', options, OPTIONS);
  const { model, tools, request, verify, attempts: most = 3, form = 'flat', signal } = options;
  if (!Number.isInteger(most) || most < 1 || most > MOST_ATTEMPTS)
    throw new InvalidArgumentError(`attempts is ${most}; expected a whole number from 1 to ${MOST_ATTEMPTS}`);
  if (form === 'code' && options.read === undefined)
    throw new InvalidArgumentError(
      "code needs read: (text) => lowerCode(text, tools), by lowerCode of 'foreguard/workflow/code'",
    );
  const { inputs, policy, dialect = form === 'code' ? null : 'json-schema' } = options;
  const system = planPrompt(tools, {
    form,
    ...(inputs && { inputs }),
    ...(policy !== undefined && { policy }),
  });
  const schema = dialect === null || form === 'code' ? undefined : planSchema(tools, { form, dialect });
  const prompt: PromptName = { id: 'plan', version: 1, hash: hashJson([system, schema ?? null]) };
  const read = options.read ?? ((answer: string) => readPlan(objectIn(answer), inputs && { inputs }));
  const messages: { role: 'user' | 'assistant'; content: string }[] = [{ role: 'user', content: request }];
  const attempts: PlanAttempt[] = [];
  let verdict: V | null = null;
  while (attempts.length < most) {
    const asked = { purpose: 'plan', prompt, system, messages: [...messages], ...(schema && { schema }) };
    const { texts, objects } = await model.generate(asked, signal);
    const answer = texts[0] ?? JSON.stringify(objects?.[0] ?? '');
    const plan = readAnswer(answer, read);
    let rejections: readonly string[] = isReasons(plan)
      ? plan
      : checkPlan(plan, tools).problems.map(({ text }) => text);
    if (!isReasons(plan) && rejections.length === 0) {
      verdict = await verify(plan);
      rejections = verdict.verdict === 'proved' ? [] : reasonsOf(verdict);
      if (verdict.verdict === 'proved')
        return { plan, verdict, attempts: [...attempts, { answer, plan, rejections }] };
    }
    attempts.push({ answer, plan: isReasons(plan) ? null : plan, rejections });
    messages.push({ role: 'assistant', content: answer }, { role: 'user', content: tellReasons(rejections) });
  }
  return { plan: null, verdict, attempts };
}

const OPTIONS = {
  model: true,
  tools: true,
  request: true,
  verify: true,
  inputs: true,
  policy: true,
  form: true,
  dialect: true,
  read: true,
  attempts: true,
  signal: true,
};

function isReasons(read: Plan | readonly string[]): read is readonly string[] {
  return Array.isArray(read);
}

/** The plan in an answer, or why there is none. */
function readAnswer(answer: string, read: (answer: string) => Plan): Plan | readonly string[] {
  try {
    return read(answer);
  } catch (error) {
    if (error instanceof PlanError) return error.problems.map(({ text }) => text);
    if (error instanceof ModelError)
      return ['the answer is no plan; expected one alone, without other words'];
    throw error;
  }
}

/** Reasons from the parts of findings that come from contracts and the plan; texts of findings may cite values. */
function reasonsOf({ findings = [], verdict }: PlanJudgement): readonly string[] {
  const reasons = findings.map(({ kind, step, rule, path = [] }) => {
    const where = step === null ? 'the plan' : `step ${printableName(step)}`;
    const what = rule === null ? kind : `${kind}: ${printableName(rule)}`;
    const way = [...new Set(path.map((one) => printableName(one.step)))].slice(0, 12);
    return `${where} is refused (${what})${way.length > 0 ? `, by the steps ${way.join(' → ')}` : ''}`;
  });
  return reasons.length > 0 ? [...new Set(reasons)] : [`the plan is ${verdict}`];
}

function tellReasons(rejections: readonly string[]): string {
  const shown = rejections.slice(0, MOST_REASONS).map((reason) => `- ${reason}`);
  if (rejections.length > shown.length) shown.push(`- and ${rejections.length - shown.length} more`);
  return `The plan was refused:\n${shown.join('\n')}\nWrite the whole plan again.`;
}
