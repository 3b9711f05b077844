const LOGO_SIDE_PX = 64;

/** Replaces a view that is off (docs/develop/product.md#views). Its spelling is intended (docs/develop/product.md#odd-on-purpose). */
export function Page() {
  return (
    <div className="coming-soon">
      <img src="/favicon.svg" width={LOGO_SIDE_PX} height={LOGO_SIDE_PX} alt="" />
      <h1>Comming Soon</h1>
    </div>
  );
}
