import mark from "./mark.svg";

export function Mark({ size = 30 }: { readonly size?: number }) {
  return <img src={mark} width={size} height={size} alt="" />;
}
