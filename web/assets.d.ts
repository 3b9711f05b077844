declare module '*.css';

declare module '*.css?url' {
  const url: string;
  export default url;
}

declare module '*.svg' {
  const url: string;
  export default url;
}

declare module '*.svg?inline' {
  /** A data URL. */
  const url: string;
  export default url;
}
