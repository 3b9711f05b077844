interface PageFooterProps {
  readonly productName: string;
  readonly appUrl: string;
}

/** The quiet way for a visitor to a card of their own. */
export function PageFooter({ productName, appUrl }: PageFooterProps) {
  return (
    <footer className="page-column page-footer">
      <a className="button" href={appUrl}>
        Create Your {productName} Card
      </a>
    </footer>
  );
}
