import { dynamicTool, generateText, isLoopFinished, tool } from 'ai';
import { guardToolSet, stoppedBy } from 'foreguard/ai-sdk';
import { createSession, type Session, type SessionOptions } from 'foreguard/enforce';
import { z } from 'zod';
import { type mailbox, mailGuard, mailTools } from '../shared/mail.js';
import { scripted, type Turn, toldModel } from './scripted.js';

type Mail = ReturnType<typeof mailbox>;

/** The assistant's tools for `ai`. */
export function toolSet(mail: Mail) {
  const { search, fetch, send, forget } = mail.tools;
  return {
    search: tool({ inputSchema: z.object({ query: z.string() }), execute: search }),
    fetch: tool({ inputSchema: z.object({ url: z.string() }), execute: fetch }),
    send: tool({ inputSchema: z.object({ to: z.string() }), execute: send }),
    forget: dynamicTool({ inputSchema: z.object({}), execute: () => forget({}) }),
  };
}

/** A run under a guard that watches for leaks, with the rule changed as given. */
export async function sessionWith(
  mail: Mail,
  rule?: Readonly<Record<string, unknown>>,
  options: Partial<SessionOptions> = {},
): Promise<Session> {
  return createSession({
    guard: await mailGuard(rule),
    state: mail.state,
    tools: [...mailTools],
    maxPending: 6,
    ...options,
  });
}

/** An agent's run to its end: what the model was told of its calls, by call, and what was said last. */
export async function generate(mail: Mail, session: Session, ...turns: Turn[]) {
  const { model, prompts } = scripted(...turns);
  const result = await generateText({
    model,
    prompt: 'go',
    tools: guardToolSet(session, toolSet(mail)),
    stopWhen: [isLoopFinished(), stoppedBy(session)],
  });
  return { result, prompts, told: toldModel(prompts) };
}

export const fetchPage = [['fetch', { url: 'u' }]] as const satisfies Turn;
export const sendMail = [['send', { to: 'mallory' }]] as const satisfies Turn;
