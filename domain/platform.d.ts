// Platform classes that the ECMAScript library does not declare, for this layer only.

declare class URL {
  constructor(url: string, base?: string);
  static canParse(url: string, base?: string): boolean;
  readonly href: string;
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  readonly hostname: string;
}

declare class TextEncoder {
  encode(text: string): Uint8Array;
}
