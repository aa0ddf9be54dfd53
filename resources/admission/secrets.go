package admission

import (
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// Secret is the cause of a refusal because a possible secret would be committed.
const Secret apierrors.Cause = "Secret"

const (
	secretWhy  = "the file is committed, and every reader of the repository can read it"
	secretStep = "write the name of the variable or file that contains it instead"
)

// RefuseSecret rejects an agent's change that adds a secret to an object. found is the text
// of resources.NewSecret.
func RefuseSecret(key resources.Key, found string) error {
	return apierrors.Refuse(Secret, "agents do not write "+found+" into "+key.String(), secretWhy, secretStep)
}

// SecretWarning returns the warning for a user whose change adds a secret to an object. found is
// the text of resources.NewSecret.
func SecretWarning(key resources.Key, found string) string {
	return key.String() + " holds " + found + ": " + secretWhy + "; " + secretStep
}

// secretInFile denies a call that writes a possible secret to a file below .idumb.
func secretInFile(e *evaluation) *Reason {
	if e.call.Secret == "" {
		return nil
	}
	return &Reason{
		What:       triedText(e.call) + ", with " + e.call.Secret + ".",
		Why:        []string{"Files of .idumb are committed, and every reader of the repository can read them."},
		UseInstead: strings.ToUpper(secretStep[:1]) + secretStep[1:] + ".",
	}
}
