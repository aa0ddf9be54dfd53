package doctor

import (
	"os"
	"strings"

	"github.com/idumb-dev/idumb/controller/trust"
	"github.com/idumb-dev/idumb/resources/admission"
)

// checkTrust reports missing trust and the owner of the tree.
func (x *examination) checkTrust() {
	switch state, news := trust.StoreOf(os.Getenv).Load(x.root).Examine(); state {
	case trust.Unknown:
		x.notice(".idumb of this repository is not trusted: agents do not receive its texts, and its settings can only restrict; review it (idumb trust --dry-run), then run \"idumb trust\"")
	case trust.Changed:
		if x.sharing.Branch != "" {
			break // the files are those of another branch
		}
		x.notice("%s changed since you trusted .idumb of this repository: the trusted version stays in effect, and changes can only restrict it; review them (idumb trust --dry-run), then run \"idumb trust\"", strings.Join(news, ", "))
	}
	for _, name := range [...]string{trust.Variable, admission.EnforceVariable, "XDG_CONFIG_HOME"} {
		if trust.SetByRepository(x.root, name) {
			x.notice("repository settings set %s; the value is not trusted. Set it in your own environment if you want it", name)
		}
	}
	if word := os.Getenv(admission.EnforceVariable); !admission.KnownMode(word) {
		x.notice("%s=%s is ignored: set it to %s, %s or %s", admission.EnforceVariable, word, admission.ModeEnforce, admission.ModeLog, admission.ModeOff)
	}
	if err := trust.Owned(x.root); err != nil {
		x.notice("%s", err.Error())
	}
}
