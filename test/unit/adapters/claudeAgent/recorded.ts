import { readFileSync } from 'node:fs';
import type {
  GuardedOptions,
  HookInput,
  HookOutput,
} from '../../../../bindings/runtime/adapters/claudeAgent.js';

type Recording =
  | 'one call'
  | 'parallel calls'
  | 'failing call'
  | 'call that the SDK denies'
  | 'call of a subagent'
  | 'end';

const recordings = JSON.parse(readFileSync(new URL('recorded.json', import.meta.url), 'utf8')) as Record<
  Recording,
  HookInput[]
>;

/** What the SDK hands to hooks, event by event. */
export function recorded(name: Recording): HookInput[] {
  return structuredClone(recordings[name]);
}

/** Hands inputs to the hooks of their events, one after another. */
export async function play(
  options: GuardedOptions<never>,
  inputs: readonly HookInput[],
): Promise<HookOutput[]> {
  const outputs: HookOutput[] = [];
  for (const input of inputs) outputs.push(await hand(options, input));
  return outputs;
}

/** Hands one input to the hook of its event. */
export function hand(
  { hooks }: GuardedOptions<never>,
  input: HookInput,
  signal: AbortSignal = new AbortController().signal,
): Promise<HookOutput> {
  const [
    {
      hooks: [hook],
    },
  ] = hooks[input.hook_event_name as keyof typeof hooks];
  return hook(input, input.tool_use_id, { signal });
}
