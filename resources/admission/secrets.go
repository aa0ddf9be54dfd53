package admission

import (
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// Secret is the cause of a refusal: what looks like a secret would be committed.
const Secret apierrors.Cause = "Secret"

const (
	secretWhy  = "the file is committed, and every reader of the repository can read it"
	secretStep = "write the name of the variable or file that contains it instead"
)

// RefuseSecret refuses an agent's change that adds a secret, as resources.NewSecret names it, to an object.
func RefuseSecret(key resources.Key, found string) error {
	return apierrors.Refuse(Secret, "agents do not write "+found+" into "+key.String(), secretWhy, secretStep)
}

// SecretWarning warns a person of the same.
func SecretWarning(key resources.Key, found string) string {
	return key.String() + " holds " + found + ": " + secretWhy + "; " + secretStep
}

// secretInFile denies a call that writes what looks like a secret into a file of .idumb.
func secretInFile(e *evaluation) *Reason {
	if e.call.Secret == "" {
		return nil
	}
	return &Reason{
		What:       tried(e.call) + ", with " + e.call.Secret + ".",
		Why:        []string{"Files of .idumb are committed, and every reader of the repository can read them."},
		UseInstead: strings.ToUpper(secretStep[:1]) + secretStep[1:] + ".",
	}
}
