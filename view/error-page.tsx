import { NoticePage } from './notice-page.tsx';

/** The heading for an unmatched or failing route (docs/product.md#error-screen). */
const ROUTER_FAILURE = 'Unexpected Application Error!';

interface ErrorPageProps {
  readonly productName: string;
  readonly sentence: string;
  readonly style: string;
}

/** The generic error screen. */
export function ErrorPage({ productName, sentence, style }: ErrorPageProps) {
  return (
    <NoticePage
      title={`Error - ${productName}`}
      heading={ROUTER_FAILURE}
      sentence={sentence}
      style={style}
    >
      <p>
        <a href="/">Go to {productName}</a>
      </p>
    </NoticePage>
  );
}
