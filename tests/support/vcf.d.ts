declare module 'vcf' {
  export default class Card {
    parse(text: string): this;
    get(name: string): { valueOf(): string };
  }
}
