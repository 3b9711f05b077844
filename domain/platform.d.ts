// What every platform has and ECMAScript's own library does not declare. Seen by this ring alone.

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
