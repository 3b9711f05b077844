import type { ComponentProps } from 'react';
import { useHref, useLinkClickHandler, useLocation } from 'react-router';

interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  readonly to: string;
}

/** React Router's own brings 4 KB of what this product does not use. */
export function Link({ to, onClick, children, ...props }: LinkProps) {
  const href = useHref(to);
  const navigate = useLinkClickHandler(to);
  return (
    <a
      {...props}
      href={href}
      onClick={(event) => {
        onClick?.(event);
        if (!event.defaultPrevented) navigate(event);
      }}
    >
      {children}
    </a>
  );
}

/** Says where it leads to the page that is open. */
export function NavigationLink(props: LinkProps) {
  const { pathname } = useLocation();
  const isCurrent = pathname.replace(/\/$/, '') === props.to;
  return <Link {...props} aria-current={isCurrent ? 'page' : undefined} />;
}
