package doctor

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/controller/trust"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// shellVerdicts are from the mildest to the strictest.
var shellVerdicts = [...]string{command.Allow, command.Ask, command.Deny}

// shell tells of rules for the shell gate that nothing comes of: those of the repository,
// and the person's own.
func (x *examination) shell() {
	o, _ := x.snap.Get(resources.Key{Kind: resources.Shell, Name: resources.ShellRulesName})
	if rules, ok := o.(*resources.ShellRules); ok {
		x.shellRules(layout.Dir+"/shell.json", rules, false)
	}
	dir := trust.ConfigFolder(os.Getenv)
	if dir == "" {
		return
	}
	file := filepath.Join(dir, "idumb", "shell.json")
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	var rules resources.ShellRules
	if err == nil {
		err = json.Unmarshal(data, &rules)
	}
	if err != nil {
		x.notice("none of your own rules for the shell gate hold: %s cannot be read: %v; mend or remove it", file, err)
		return
	}
	x.shellRules(file, &rules, true)
}

// shellRules looks through one file. Only a person's own may be milder than what ships.
func (x *examination) shellRules(file string, rules *resources.ShellRules, own bool) {
	shipped := command.Shipped()
	for _, rule := range rules.Spec.Rules {
		i := slices.IndexFunc(shipped, func(s command.Rule) bool { return s.Name == rule.Name })
		switch strictness := slices.Index(shellVerdicts[:], rule.Verdict); {
		case i < 0:
			x.notice("%s: no rule of the shell gate is called %q, so nothing comes of it; idumb shell rules lists them", file, rule.Name)
		case strictness < 0:
			x.notice("%s: rule %s: %q is no verdict, so nothing comes of it; use allow, ask or deny", file, rule.Name, rule.Verdict)
		case !own && strictness < slices.Index(shellVerdicts[:], shipped[i].Verdict):
			x.notice("%s: rule %s: %s is milder than the %s that ships, so it does not count; only your own shell.json loosens", file, rule.Name, rule.Verdict, shipped[i].Verdict)
		}
	}
}
