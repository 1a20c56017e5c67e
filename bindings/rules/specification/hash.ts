import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from '../../base/canonicalJson.js';
import { isObject } from '../../base/objectKind.js';

/** SHA-256, in hexadecimal, of a JSON value; the order of keys does not matter. */
export function hashJson(value: unknown): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(value))));
}

/** The hash of a specification's content: what guards are compiled and models learnt from. Tests are not part of it, nor what only checks the file: of tools only whether they are safe. */
export function hashSpecification(content: unknown): string {
  if (!isObject(content)) return hashJson(content);
  const { tests: _, tools, ...rest } = content;
  const safe = isObject(tools)
    ? Object.entries(tools).flatMap(([name, tool]) =>
        isObject(tool) && 'safe' in tool ? [[name, { safe: tool.safe }]] : [],
      )
    : [];
  return hashJson(safe.length === 0 ? rest : { ...rest, tools: Object.fromEntries(safe) });
}
