declare module '*.svg?inline' {
  const url: string;
  export default url;
}
