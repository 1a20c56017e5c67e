import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../../../bindings/base/errors.js';
import { parseHeaders, parseListen, parseUpstream } from '../../../../bindings/face/cli/mcp/settings.js';

describe('addresses to listen on', () => {
  it.each([
    ['127.0.0.1:8080/mcp', { host: '127.0.0.1', port: 8080, path: '/mcp' }],
    [':0', { host: '127.0.0.1', port: 0, path: '/mcp' }],
    ['localhost:1/a/b', { host: 'localhost', port: 1, path: '/a/b' }],
    ['[::1]:65535/', { host: '::1', port: 65535, path: '/' }],
  ])('%s is read', (text, parts) => expect(parseListen(text)).toEqual(parts));

  it.each(['', '8080', 'localhost', '::1:80', 'a:b', 'a:1:2', '1.2.3.4:65536', 'a:80/?q', 'http://a:80/mcp'])(
    '%j is refused',
    (text) => expect(() => parseListen(text)).toThrow(InvalidArgumentError),
  );
});

describe('addresses of servers', () => {
  it('are of the web', () => {
    expect(parseUpstream('https://example.org/mcp').href).toBe('https://example.org/mcp');
    for (const text of ['example.org', 'file:///etc/passwd', 'ws://a', ''])
      expect(() => parseUpstream(text)).toThrow('--upstream');
  });
});

describe('headers', () => {
  const environment = { TOKEN: `abc\${OTHER}`, OTHER: 'no' };

  it('take variables of the environment, once', () => {
    expect(parseHeaders([`Authorization: Bearer \${TOKEN}`, 'X-A:  b: c'], environment)).toEqual({
      Authorization: `Bearer abc\${OTHER}`,
      'X-A': 'b: c',
    });
  });

  it('that are none, or name no variable, are refused without being told', () => {
    expect(() => parseHeaders(['secret'], environment)).toThrow(/^(?!.*secret)/);
    expect(() => parseHeaders([`A: \${MISSING}`], environment)).toThrow('MISSING');
    expect(() => parseHeaders(['A b: c'], environment)).toThrow(InvalidArgumentError);
  });
});
