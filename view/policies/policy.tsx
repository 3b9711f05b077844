import type { ReactNode } from 'react';

/** The date on all four policies (docs/product.md#policy-terms). */
export const EFFECTIVE_DATE = '7/9/2024';

/** The values of settings that appear in the policies. */
export interface PolicyFacts {
  readonly productName: string;
  readonly supportEmail: string;
  /** The Indian state whose courts settle disputes. */
  readonly jurisdictionState: string;
  /** The life of an unused session in days. */
  readonly sessionDays: number;
}

export interface PolicySection {
  /** The anchor of its entry in the list of contents. */
  readonly id: string;
  readonly heading: string;
  readonly body: (facts: PolicyFacts) => ReactNode;
}

export interface Policy {
  readonly path: string;
  readonly title: string;
  /** One sentence for the top of the page and for search engines. */
  readonly summary: (facts: PolicyFacts) => string;
  readonly sections: readonly PolicySection[];
}

export function SupportLink({ facts }: { readonly facts: PolicyFacts }) {
  return <a href={`mailto:${facts.supportEmail}`}>{facts.supportEmail}</a>;
}
