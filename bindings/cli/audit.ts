import { describeFault, verifyAudit } from '../enforcement/index.js';
import { nodeSha256, nodeStorage } from '../node/index.js';
import { parseCount } from './numbers.js';
import { type Outcome, Progress, plural, type Terminal } from './terminal.js';

interface VerifyCommandOptions {
  readonly file: string;
  readonly head?: string;
  readonly count?: string;
}

/** `foreguard audit verify`: whether an audit file holds what was written to it, and if not, from which line on. */
export async function verifyAuditFile(options: VerifyCommandOptions, terminal: Terminal): Promise<Outcome> {
  const { file, head: hash } = options;
  const count = parseCount('--count', options.count);
  const progress = new Progress(terminal);
  const { head, fault } = await verifyAudit(nodeStorage.read(file), {
    sha256: nodeSha256,
    onProgress: ({ count }) => progress.show(() => `${plural(count, 'line')} checked`),
    ...(hash !== undefined && { hash }),
    ...(count !== undefined && { count }),
  }).finally(() => progress.clear());
  const anchored = hash !== undefined || count !== undefined;
  if (fault !== null) {
    const message = describeFault(fault);
    return {
      json: { file, valid: false, head, fault: { ...fault, message } },
      text: `${file}: ${message}`,
      exitCode: 1,
    };
  }
  const text = [
    `${file}: ${plural(head.count, 'line')}, as they were written`,
    `--head ${head.hash} --count ${head.count}`,
    ...(anchored
      ? []
      : ['Lines missing at the end show only against a head that was kept elsewhere, such as this one.']),
  ].join('\n');
  return { json: { file, valid: true, head, fault: null }, text };
}
