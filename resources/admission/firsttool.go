package admission

// firstTool: a role may ask that a session begins with a look at things: until one of
// its first tools was used, or anything of idumb, nothing but looking at files and
// asking is open. That is how it never traps: `idumb next` is one of them everywhere.
func firstTool(j *judgement) *Reason {
	c := j.caller()
	if c.role == nil || len(c.role.Spec.FirstTools) == 0 {
		return nil
	}
	first := c.role.Spec.FirstTools
	if j.call.Action == Governance || matchesTool(j.call.Tool, first) {
		j.opens = true
		return nil
	}
	if j.call.Action == Read || j.call.Opened == nil || j.call.Opened() {
		return nil
	}
	return &Reason{
		What:       tried(j.call) + " but a session in the role " + quote(c.roleName) + " does not begin with that.",
		Why:        []string{"Before anything else it uses one of " + list(first) + ", or a command or tool of idumb."},
		UseInstead: "Run `idumb next`, then repeat the call.",
		Evidence:   []string{"roles/" + c.roleName + " spec.firstTools = " + list(first)},
	}
}
