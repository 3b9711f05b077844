import type { PolicyFacts } from './policy.ts';

export function SupportLink({ facts }: { readonly facts: PolicyFacts }) {
  return <a href={`mailto:${facts.supportEmail}`}>{facts.supportEmail}</a>;
}
