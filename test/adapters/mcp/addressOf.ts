import type { ChildProcess } from 'node:child_process';

/** The address that a program prints; from then on nobody reads what it says. */
export async function addressOf(child: ChildProcess, stream: 'stdout' | 'stderr'): Promise<URL> {
  let said = '';
  for await (const chunk of child[stream] ?? []) {
    said += chunk;
    const [address] = /http:\/\/\S+(?=\s)/.exec(said) ?? [];
    if (address !== undefined) return new URL(address);
  }
  throw new Error(`no address: ${said}`);
}
