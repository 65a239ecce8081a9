// TypeBox, by the name under which pi provides its own copy to extensions. dist/ has it inlined: a dependency of that name
// would make pi warn about every install, and a peer would have to be installed by hand with Yarn.
export { Type } from "@sinclair/typebox";
