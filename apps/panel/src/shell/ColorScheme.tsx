import { useMantineColorScheme } from "@mantine/core";
import { IconDeviceDesktop, IconMoon, IconSun } from "@tabler/icons-react";
import { ActionMenu } from "../ui/ActionMenu.tsx";

const SCHEMES = [
  { value: "light", label: "Light", icon: IconSun },
  { value: "dark", label: "Dark", icon: IconMoon },
  { value: "auto", label: "System", icon: IconDeviceDesktop },
] as const;

/** Selects the color scheme, which is stored in this browser. */
export function ColorScheme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Current = SCHEMES.find(({ value }) => value === colorScheme)?.icon ?? IconDeviceDesktop;
  return (
    <ActionMenu
      label="Appearance"
      icon={<Current size={19} stroke={1.7} aria-hidden />}
      items={SCHEMES.map(({ value, label, icon: Icon }) => ({
        label,
        icon: <Icon size={17} stroke={1.7} aria-hidden />,
        isChecked: value === colorScheme,
        onSelect: () => setColorScheme(value),
      }))}
    />
  );
}
