import type { Span } from './openTelemetrySpan.js';
import { callArguments, plainData } from './plainData.js';

/** The role of a span: a run of an agent, a call of a tool, a guard's decision, or something in between. */
export type Role = AgentRole | CallRole | DecisionRole | { readonly role: 'other' };

export interface AgentRole {
  readonly role: 'agent';
  readonly id: string;
  readonly trace: string;
  readonly name: unknown;
  /** The conversation, or session, that it belongs to; empty if it names none. */
  readonly conversation: string;
  readonly start: bigint;
  /** 0 where it has not ended. */
  readonly end: bigint;
  /** It came to its end, and to no error. */
  readonly complete: boolean;
  /** Names of the agent's tools, if the span lists them. */
  readonly tools: readonly string[];
  /** Who is asking; null if the span does not say. */
  readonly principal: SpanPrincipal | null;
  /** The requested attributes; null if neither the span nor its resource has one. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Who is asking, as far as attributes of spans have it. */
export interface SpanPrincipal {
  readonly id: string;
  readonly roles?: readonly string[];
}

export interface CallRole {
  readonly role: 'call';
  readonly trace: string;
  readonly conversation: string;
  readonly start: bigint;
  /** 0 if it has not ended. */
  readonly end: bigint;
  readonly failed: boolean;
  readonly tool: string;
  /** The id that the model gave the call; empty if it was not recorded. */
  readonly id: string;
  /** Undefined if they were not recorded. */
  readonly arguments: Readonly<Record<string, unknown>> | undefined;
  /** Undefined if it was not recorded. */
  readonly result: unknown;
}

export interface DecisionRole {
  readonly role: 'decision';
  readonly trace: string;
  readonly start: bigint;
  /** Tool and id of the call that was decided on. */
  readonly tool: string;
  readonly id: string;
  /** The tool that was permitted, the proposed one or a replacement; empty if none was. */
  readonly runs: string;
}

/** The span of a guard's decision: its name, and its attributes for the decision and for the tool that was permitted (empty for none). */
export const DECISION_SPAN = {
  name: 'foreguard decide',
  decision: 'foreguard.decision',
  runs: 'foreguard.runs',
} as const;

/** OpenTelemetry's attributes of a user. */
export const USER_ATTRIBUTES = { id: 'user.id', roles: 'user.roles' } as const;

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

const ROLES: ReadonlyMap<unknown, Role['role']> = new Map<unknown, Role['role']>([
  ['invoke_agent', 'agent'],
  ['ai.generateText', 'agent'],
  ['ai.streamText', 'agent'],
  ['AGENT', 'agent'],
  ['execute_tool', 'call'],
  ['ai.toolCall', 'call'],
  ['TOOL', 'call'],
]);

/**
 * Returns the role of a span, by OpenTelemetry's conventions for generative AI (`gen_ai.operation.name`; now in their own repository,
 * formerly in the general semantic conventions), by the names of the Vercel AI SDK (`ai.operationId`, versions 4 to 6) and by those of
 * OpenInference.
 *
 * @param attributes for each field of the states, the name of the attribute it is taken from.
 */
export function roleOf(span: Span, attributes: Readonly<Record<string, string>>): Role {
  const runs = span.attribute(DECISION_SPAN.runs);
  if (runs !== undefined) {
    const { trace, start } = span;
    return { role: 'decision', trace, start, tool: toolOf(span), id: callIdOf(span), runs: String(runs) };
  }
  const operation = first(span, ['gen_ai.operation.name', 'ai.operationId', 'openinference.span.kind']);
  const role = ROLES.get(operation) ?? 'other';
  if (role === 'agent') return agentRole(span, attributes);
  return role === 'call' ? callRole(span) : { role: 'other' };
}

function agentRole(span: Span, attributes: Readonly<Record<string, string>>): AgentRole {
  const fields = Object.entries(attributes).map(([field, key]) => [
    field,
    span.attribute(key) ?? span.resource(key) ?? null,
  ]);
  const definitions = plainData(span.attribute('gen_ai.tool.definitions'));
  return {
    role: 'agent',
    id: `${span.trace}-${span.id}`,
    name: first(span, ['gen_ai.agent.name', 'ai.telemetry.functionId', 'agent.name']),
    conversation: conversationOf(span),
    trace: span.trace,
    start: span.start,
    end: span.end,
    complete: span.end > 0n && !span.failed,
    tools: Array.isArray(definitions) ? definitions.flatMap(nameOf) : [],
    principal: principalOf(span),
    fields: Object.fromEntries(fields),
  };
}

/** By the attributes of users, or those of end users; `enduser.role` is what `user.roles` was before. */
function principalOf(span: Span): SpanPrincipal | null {
  const id = text(first(span, [USER_ATTRIBUTES.id, 'enduser.id']));
  if (id === '') return null;
  const told = span.attribute(USER_ATTRIBUTES.roles);
  const former = span.attribute('enduser.role');
  const roles: unknown = told === undefined && former !== undefined ? [former] : plainData(told);
  return { id, ...(isTexts(roles) && { roles }) };
}

/** Arguments and result are present only if the instrumentation is configured to record them; the conventions define them since 1.38. */
function callRole(span: Span): CallRole {
  const given = first(span, ['gen_ai.tool.call.arguments', 'ai.toolCall.args', 'input.value']);
  const { trace, start, end, failed } = span;
  return {
    role: 'call',
    trace,
    conversation: conversationOf(span),
    start,
    end,
    failed,
    tool: toolOf(span),
    id: callIdOf(span),
    arguments: given === undefined ? undefined : callArguments(given),
    result: first(span, ['gen_ai.tool.call.result', 'ai.toolCall.result', 'output.value']),
  };
}

function toolOf(span: Span): string {
  const name = first(span, ['gen_ai.tool.name', 'ai.toolCall.name', 'tool.name']);
  return typeof name === 'string' ? name : span.name.replace(/^execute_tool /, '');
}

function callIdOf(span: Span): string {
  return text(first(span, ['gen_ai.tool.call.id', 'ai.toolCall.id', 'tool_call.id']));
}

function conversationOf(span: Span): string {
  return text(first(span, ['gen_ai.conversation.id', 'mcp.session.id', 'session.id']));
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function nameOf(definition: unknown): string[] {
  const name = (definition as { name?: unknown } | null | undefined)?.name;
  return typeof name === 'string' ? [name] : [];
}

function first(span: Span, keys: readonly string[]): unknown {
  for (const key of keys) {
    const value = span.attribute(key);
    if (value !== undefined) return value;
  }
  return undefined;
}
