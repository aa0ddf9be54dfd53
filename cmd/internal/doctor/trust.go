package doctor

import (
	"os"
	"strings"

	"github.com/idumb-dev/idumb/controller/trust"
	"github.com/idumb-dev/idumb/resources/admission"
)

// standing reports missing trust and the owner of the tree.
func (x *examination) standing() {
	switch state, news := trust.For(os.Getenv).Load(x.root).Examine(); state {
	case trust.Unknown:
		x.notice("you have not trusted this repository's .idumb: agents are told nothing out of it, and its settings only restrict; read it (idumb trust --dry-run), then run \"idumb trust\"")
	case trust.Changed:
		x.notice("%s changed since you trusted this repository's .idumb: what you trusted goes on counting, and a change can only tighten it; look at it (idumb trust --dry-run), then run \"idumb trust\"", strings.Join(news, ", "))
	}
	for _, name := range [...]string{trust.Variable, admission.EnforceVariable, "XDG_CONFIG_HOME"} {
		if trust.Brought(x.root, name) {
			x.notice("settings that this repository brings for its agents name %s: what they set it to is not your word; look at them, and set it where you start the agent if you want it", name)
		}
	}
	if word := os.Getenv(admission.EnforceVariable); !admission.KnownMode(word) {
		x.notice("%s=%s is ignored: set it to %s, %s or %s", admission.EnforceVariable, word, admission.ModeEnforce, admission.ModeLog, admission.ModeOff)
	}
	if err := trust.Owned(x.root); err != nil {
		x.notice("%s", err.Error())
	}
}
