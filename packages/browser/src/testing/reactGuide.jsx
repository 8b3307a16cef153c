import { createRoot } from "react-dom/client";
import { Accounts } from "../snippets/react.jsx";

createRoot(document.querySelector("main")).render(<Accounts />);
