import { Agent, Runner, tool } from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing';
import { guardAgent, type OpenAIOptions, type OpenAISession } from 'foreguard/openai-agents';
import { z } from 'zod';
import type { mailbox } from '../shared/mail.js';

/** What the model says in a turn: text, or calls of tools, with ids by turn and place: `1.0`, `1.1`, … */
export type Turn = string | readonly (readonly [name: string, args: Record<string, unknown> | string])[];

/** A model that says what is written, turn after turn. */
export function scripted(...turns: readonly Turn[]): ScriptedModel {
  return new ScriptedModel(
    turns.map((said, turn) =>
      typeof said === 'string'
        ? [assistantMessage(said)]
        : said.map(([name, args], place) => functionCall(name, args, { callId: `${turn + 1}.${place}` })),
    ),
  );
}

/** Without tracing, which would use the network. */
export const runner = new Runner({ tracingDisabled: true });

/** The tools of a mailbox. */
export function mailToolsOf({ tools }: ReturnType<typeof mailbox>) {
  const make = (name: keyof typeof tools, ...fields: string[]) =>
    tool({
      name,
      description: name,
      parameters: z.object(Object.fromEntries(fields.map((field) => [field, z.string()]))),
      execute: (args) => (tools[name] as (args: unknown) => Promise<string>)(args),
    });
  return [make('search', 'query'), make('fetch', 'url'), make('send', 'to'), make('forget')];
}

/** An assistant with the tools of a mailbox, guarded by a session. */
export function mailAgent(
  session: OpenAISession,
  box: ReturnType<typeof mailbox>,
  model: ScriptedModel,
  options?: OpenAIOptions,
) {
  return guardAgent(new Agent({ name: 'assistant', model, tools: mailToolsOf(box) }), session, options);
}

/** What the model was told of its calls: text by id. */
export function told(items: readonly { readonly rawItem?: unknown }[]): Record<string, string> {
  const outputs = items
    .map(({ rawItem }) => rawItem as { type?: string; callId: string; output: { text?: string } | string })
    .filter((item) => item?.type === 'function_call_result');
  return Object.fromEntries(
    outputs.map(({ callId, output }) => [callId, typeof output === 'string' ? output : (output.text ?? '')]),
  );
}
