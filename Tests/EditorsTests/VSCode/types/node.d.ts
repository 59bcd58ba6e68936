// SPDX-License-Identifier: MIT
// What the extension uses of Node, which every edition of the editor brings.

declare module 'child_process' {
  interface Stream {
    on(event: 'data', listener: (bytes: Buffer) => void): this;
    on(event: 'error', listener: (failure: Error) => void): this;
    write(bytes: Uint8Array): boolean;
    end(): void;
  }
  export interface ChildProcess {
    readonly stdin: Stream | null;
    readonly stdout: Stream | null;
    readonly stderr: Stream | null;
    kill(): boolean;
    on(event: 'error', listener: (failure: NodeJS.ErrnoException) => void): this;
    on(event: 'close', listener: (code: number | null, signal: string | null) => void): this;
  }
  export function spawn(
    program: string, words: readonly string[], options: { stdio: readonly ['pipe', 'pipe', 'pipe'] }): ChildProcess;
  export function execFile(
    program: string, words: readonly string[], options: { timeout: number },
    done: (failure: (Error & { code?: string | number }) | null) => void): ChildProcess;
}

declare module 'fs' {
  interface BigIntStats {
    readonly ino: bigint;
    readonly dev: bigint;
    readonly size: bigint;
    readonly mtimeNs: bigint;
    isFile(): boolean;
  }
  export function statSync(path: string, options: { bigint: true }): BigIntStats;
  export function existsSync(path: string): boolean;
  export function realpathSync(path: string): string;
  export function accessSync(path: string, mode: number): void;
  export const constants: { readonly W_OK: number };
  export const promises: { readFile(path: string): Promise<Buffer> };
}

declare module 'path' {
  export function dirname(path: string): string;
  export function join(...parts: string[]): string;
}

interface Buffer extends Uint8Array {
  toString(encoding?: 'utf8' | 'latin1' | 'utf16le', start?: number, end?: number): string;
  indexOf(value: number | string, from?: number): number;
  equals(other: Uint8Array): boolean;
  subarray(start?: number, end?: number): Buffer;
}

declare const Buffer: {
  from(text: string, encoding: 'utf8' | 'latin1'): Buffer;
  from(bytes: ArrayLike<number>): Buffer;
  concat(pieces: readonly Uint8Array[]): Buffer;
};

declare namespace NodeJS {
  interface ErrnoException extends Error {
    readonly code?: string;
  }
  interface Timeout {
    unref(): this;
  }
}

declare class TextDecoder {
  constructor(label: string, options: { fatal: boolean });
  decode(bytes: Uint8Array): string;
}

declare const process: { readonly env: Readonly<Record<string, string | undefined>> };
declare function setTimeout(body: (given?: any) => void, milliseconds: number): NodeJS.Timeout;
declare function clearTimeout(timer: NodeJS.Timeout | undefined): void;
