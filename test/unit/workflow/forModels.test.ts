import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type GenerateRequest, modelFromFunction } from '../../../bindings/base/languageModel/index.js';
import { lowerCode } from '../../../bindings/proofs/workflow/code/index.js';
import {
  flatPlan,
  type Plan,
  type PlanJudgement,
  planJson,
  planPrompt,
  planSchema,
  planVerified,
  printPlan,
  readPlan,
  type SchemaDialect,
} from '../../../bindings/proofs/workflow/index.js';
import { RANDOM_TOOLS, randomPlans } from './randomPlans.js';

/** A plan in the flat form as models write it: without version and inputs. */
function asModelsWrite(plan: Plan): Record<string, unknown> {
  const { goal, blocks, values } = flatPlan(plan) as Record<string, unknown>;
  return { goal, blocks, values };
}

type Node = Record<string, unknown>;
function eachSchema(schema: unknown, visit: (node: Node) => void): void {
  if (typeof schema !== 'object' || schema === null) return;
  if (!Array.isArray(schema)) visit(schema as Node);
  for (const [key, one] of Object.entries(schema)) {
    if (key === 'properties' || key === '$defs')
      for (const inner of Object.values(one as Node)) eachSchema(inner, visit);
    else if (key !== 'enum' && key !== 'required' && key !== 'propertyOrdering') eachSchema(one, visit);
  }
}

/** OpenAPI's nullable in place of a type of null. */
function withoutNullable(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), (_, value) => {
    if (value?.nullable !== true) return value;
    const { nullable, ...rest } = value;
    return { anyOf: [rest, { type: 'null' }] };
  });
}

describe('the schema of plans', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  it.each<SchemaDialect>(['json-schema', 'openai-strict', 'gemini'])(
    'in the flat form describes the plans over the tools, for %s',
    (dialect) => {
      const fits = ajv.compile(withoutNullable(planSchema(RANDOM_TOOLS, { dialect })) as object);
      fc.assert(
        fc.property(randomPlans({ unusual: false }), (plan) => {
          const json = asModelsWrite(plan);
          expect(fits(json), ajv.errorsText(fits.errors)).toBe(true);
          expect(readPlan(json, { inputs: plan.inputs })).toEqual(plan);
        }),
        { numRuns: 20 },
      );
      const call = (tool: string, name: string) => ({
        goal: 'g',
        values: [],
        blocks: [
          {
            id: 'main',
            steps: [
              {
                id: 's',
                kind: 'call',
                note: null,
                tool,
                arguments: [{ name, value: { kind: 'null' } }],
                as: null,
                onError: null,
              },
            ],
          },
        ],
      });
      expect(fits(call('fetchMails', 'folder'))).toBe(true);
      expect(fits(call('fetchMail', 'folder'))).toBe(false);
      expect(fits(call('fetchMails', 'to'))).toBe(false);
    },
  );

  it('in the nested form describes them too, and is the published one for any tools', () => {
    const [own, any] = [RANDOM_TOOLS, null].map((tools) =>
      ajv.compile(planSchema(tools, { form: 'nested' })),
    );
    fc.assert(
      fc.property(randomPlans({ unusual: true }), (plan) => {
        expect(own(planJson(plan)), ajv.errorsText(own.errors)).toBe(true);
        expect(any(planJson(plan))).toBe(true);
      }),
      { numRuns: 20 },
    );
    expect(own({ goal: 'g', steps: [{ call: 'fetchMail' }] })).toBe(false);
    expect(any({ goal: 'g', steps: [{ call: 'fetchMail' }] })).toBe(true);
    expect(any({ goal: 'g', steps: [{ call: 'fetchMail', wiht: {} }] })).toBe(false);
    expect(() => planSchema(RANDOM_TOOLS, { form: 'nested', dialect: 'gemini' })).toThrow("form: 'flat'");
  });

  it('keeps to what the strict dialects have', () => {
    eachSchema(planSchema(RANDOM_TOOLS, { dialect: 'openai-strict' }), (node) => {
      expect([
        '$defs',
        '$ref',
        'additionalProperties',
        'anyOf',
        'description',
        'enum',
        'items',
        'properties',
        'required',
        'type',
      ]).toEqual(expect.arrayContaining(Object.keys(node)));
      if (node.type !== 'object') return;
      expect(node.additionalProperties).toBe(false);
      expect(node.required).toEqual(Object.keys(node.properties as Node));
    });
    const gemini = planSchema(RANDOM_TOOLS, { dialect: 'gemini' });
    eachSchema(gemini, (node) => {
      expect([
        'anyOf',
        'description',
        'enum',
        'items',
        'nullable',
        'properties',
        'propertyOrdering',
        'required',
        'type',
      ]).toEqual(expect.arrayContaining(Object.keys(node)));
      expect(Array.isArray(node.type)).toBe(false);
    });
  });
});

describe('the prompt', () => {
  it('names the tools with their types', () => {
    expect(
      planPrompt(RANDOM_TOOLS, {
        inputs: { me: { kind: 'text', format: 'email' } },
        policy: 'Mail goes to me alone.',
      }),
    ).toContain(`
  web.search(query: a text; limit?: a number; within-sites?: a list, each a text) gives a list, each a text
  count(mails: a list, each a record`);
  });
});

describe('a plan that a model writes until it is proved', () => {
  const plan: Plan = readPlan({
    goal: 'g',
    steps: [
      { id: 'get', call: 'latest', as: 'mail' },
      { id: 'send', call: 'sendMail', with: { to: 'a', body: { ref: 'mail', path: ['subject'] } } },
    ],
  });
  const proved: PlanJudgement = { verdict: 'proved' };
  const refuted = {
    verdict: 'refuted',
    findings: [
      {
        kind: 'flow',
        step: 'send',
        rule: 'noExfiltration',
        path: [{ step: 'get' }, { step: 'send' }],
        text: 'SECRET',
        run: { inputs: { me: 'SECRET' } },
      },
    ],
  } as const;

  it('is the first one that is proved; the model is told why others were not, without values', async () => {
    const asked: GenerateRequest[] = [];
    const answers = [
      'Sure, I will!',
      JSON.stringify({ goal: 'g', steps: [{ id: 's', call: 'fetchMial' }] }),
      `\`\`\`json\n${JSON.stringify(planJson(plan))}\n\`\`\``,
      JSON.stringify(asModelsWrite(plan)),
    ];
    const verdicts: PlanJudgement[] = [refuted, proved];
    const found = await planVerified({
      model: modelFromFunction('test', (request) => {
        asked.push(request);
        return answers[asked.length - 1];
      }),
      tools: RANDOM_TOOLS,
      request: 'Send me the latest',
      attempts: 5,
      verify: (one) => {
        expect(one).toEqual(plan);
        return verdicts.shift()!;
      },
    });
    expect(found.plan).toEqual(plan);
    expect(found.verdict).toBe(proved);
    expect(found.attempts.map(({ rejections }) => rejections)).toEqual([
      ['the answer is no plan; expected one alone, without other words'],
      [
        'step s (/steps/0/call): found the unknown tool "fetchMial"; expected one of fetchMails, sendMail, web.search, count, latest (did you mean "fetchMails"?)',
      ],
      ['step send is refused (flow: noExfiltration), by the steps get → send'],
      [],
    ]);
    expect(asked.map(({ messages }) => messages.length)).toEqual([1, 3, 5, 7]);
    expect(JSON.stringify(asked)).not.toContain('SECRET');
    expect(asked[0].schema).toEqual(planSchema(RANDOM_TOOLS));
  });

  it('is none after the last attempt', async () => {
    const found = await planVerified({
      model: modelFromFunction('test', () => JSON.stringify(planJson(plan))),
      tools: RANDOM_TOOLS,
      request: 'r',
      verify: async () => refuted,
    });
    expect(found.plan).toBeNull();
    expect(found.verdict).toBe(refuted);
    expect(found.attempts).toHaveLength(3);
  });

  it('may be code', async () => {
    const model = modelFromFunction('test', () => printPlan(plan));
    const options = { model, tools: RANDOM_TOOLS, request: 'r', form: 'code', verify: () => proved } as const;
    expect((await planVerified({ ...options, read: (code) => lowerCode(code, RANDOM_TOOLS) })).plan).toEqual(
      plan,
    );
    await expect(planVerified(options)).rejects.toThrow('code needs read');
    await expect(planVerified({ ...options, attempts: 0 })).rejects.toThrow('from 1 to 20');
  });
});
