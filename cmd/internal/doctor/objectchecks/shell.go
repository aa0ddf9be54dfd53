package objectchecks

import (
	"slices"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// shellVerdicts is sorted from the mildest to the strictest.
var shellVerdicts = [...]string{command.Allow, command.Ask, command.Deny}

// checkShell reports the repository's rules for the shell gate that have no effect.
func (x *examination) checkShell() {
	o, _ := x.Get(resources.Key{Kind: resources.Shell, Name: resources.ShellRulesName})
	if rules, ok := o.(*resources.ShellRules); ok {
		x.findings.Shell = ShellRules(layout.Dir+"/shell.json", rules, false)
	}
}

// ShellRules returns notices about the rules of one file that have no effect. own is true for the
// user's file: only its rules may be milder than the shipped rules.
func ShellRules(file string, rules *resources.ShellRules, own bool) (notices []string) {
	shipped := command.Shipped()
	for _, rule := range rules.Spec.Rules {
		i := slices.IndexFunc(shipped, func(s command.Rule) bool { return s.Name == rule.Name })
		switch strictness := slices.Index(shellVerdicts[:], rule.Verdict); {
		case i < 0:
			notice(&notices, "%s: unknown shell rule %q, ignored; idumb get shellrules lists all rules", file, rule.Name)
		case strictness < 0:
			notice(&notices, "%s: rule %s: unknown verdict %q, ignored; use allow, ask or deny", file, rule.Name, rule.Verdict)
		case !own && strictness < slices.Index(shellVerdicts[:], shipped[i].Verdict):
			notice(&notices, "%s: rule %s: %s is less strict than the default %s, ignored; only your own shell.json can relax rules", file, rule.Name, rule.Verdict, shipped[i].Verdict)
		}
	}
	return notices
}
