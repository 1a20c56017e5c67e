import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readServers } from '../../../../bindings/face/cli/mcp/servers.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-servers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const notes: string[] = [];

function read(content: string) {
  const path = join(folder, 'servers.json');
  writeFileSync(path, content);
  return readServers(path, { TOKEN: 'secret', HOME: '/home/ann' }, (text) => notes.push(text));
}

const servers = (entries: object) => read(JSON.stringify({ mcpServers: entries }));

describe('a file of servers', () => {
  it('has commands and addresses, as clients of the protocol have them', () => {
    expect(
      servers({
        mail: { command: 'mail', args: ['--at', `\${HOME}/mail`], env: { KEY: `\${TOKEN}` }, timeout: 3 },
        files: { type: 'http', url: 'https://a.example/mcp', headers: { Authorization: `Bearer \${TOKEN}` } },
        old: { command: 'old', disabled: true },
      }),
    ).toEqual({
      mail: { command: 'mail', args: ['--at', '/home/ann/mail'], env: { KEY: 'secret' } },
      files: { url: new URL('https://a.example/mcp'), headers: { Authorization: 'Bearer secret' } },
    });
    expect(notes).toEqual([expect.stringContaining('"mail" has timeout, which the proxy does not read')]);
  });

  it.each([
    ['{', 'names no servers'],
    ['{"servers": {}}', 'there is no "mcpServers"'],
    ['{"mcpServers": {}}', 'there are none'],
    ['{"mcpServers": {"a": 1}}', '"a" is no object'],
    ['{"mcpServers": {"a__b": {"command": "c"}}}', 'a server is called "a__b"'],
    ['{"mcpServers": {"a": {}}}', '"a" has neither or both of command and url'],
    ['{"mcpServers": {"a": {"command": "c", "url": "https://a"}}}', 'neither or both'],
    ['{"mcpServers": {"a": {"command": 1}}}', 'command of "a" is not text'],
    ['{"mcpServers": {"a": {"command": "c", "args": "d"}}}', 'args of "a" is no list'],
    ['{"mcpServers": {"a": {"command": "c", "args": [1]}}}', 'args[0] of "a" is not text'],
    ['{"mcpServers": {"a": {"command": "c", "env": [1]}}}', 'env of "a" is no object'],
    ['{"mcpServers": {"a": {"url": "file:///a"}}}', 'url of "a" is "file:///a"'],
    ['{"mcpServers": {"a": {"url": "https://a", "type": "sse"}}}', 'not supported; use Streamable HTTP'],
    [
      `{"mcpServers": {"a": {"command": "\${NONE}"}}}`,
      'command of "a" needs the variable NONE, which is not set',
    ],
  ])('is refused as %s', (content, message) => {
    expect(() => read(content)).toThrow(message);
  });
});
