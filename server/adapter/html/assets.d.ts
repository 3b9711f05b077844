/// <reference types="vite/types/importMeta.d.ts" />

declare module '*.css?inline' {
  const css: string;
  export default css;
}

declare module '*.ico?inline' {
  const dataUrl: string;
  export default dataUrl;
}

declare module '*.png?inline' {
  const dataUrl: string;
  export default dataUrl;
}

declare module '*?raw' {
  const text: string;
  export default text;
}
