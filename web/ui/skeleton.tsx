import './skeleton.css';

interface SkeletonProps {
  /** The class that gives the shape of what comes. */
  readonly shape: string;
}

/** A quiet block in the shape of what comes. */
export function Skeleton({ shape }: SkeletonProps) {
  return <span className={`skeleton ${shape}`} aria-hidden="true" />;
}

/** Says once, to those who do not see the blocks, that something is on its way. */
export function LoadingNote({ children }: { readonly children: string }) {
  return <output className="visually-hidden">{children}</output>;
}
