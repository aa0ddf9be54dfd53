package kube

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// notFound returns the status for a missing object of a group.
func notFound(g *group, plural, name string) serve.Status {
	what := plural
	if g.name != "" {
		what += "." + g.name
	}
	status := serve.Failure(http.StatusNotFound, "NotFound", fmt.Sprintf("%s %q not found", what, name))
	status.Details = &serve.StatusDetails{Name: name, Group: g.name, Kind: plural}
	return status
}

// refusal is an error about the request itself that is sent as a response
// unchanged.
type refusal struct{ serve.Status }

func (r *refusal) Error() string { return r.Message }

// badRequest returns a refusal with the reason BadRequest.
func badRequest(format string, args ...any) error {
	return &refusal{serve.Failure(http.StatusBadRequest, "BadRequest", fmt.Sprintf(format, args...))}
}

// statusOf converts an error of a write to a Kubernetes status. The messages
// are those of the commands.
func statusOf(kind *resources.Kind, name string, err error) serve.Status {
	var own *refusal
	if errors.As(err, &own) {
		return own.Status
	}
	code, reason, message := http.StatusUnprocessableEntity, "Invalid", err.Error()
	details := &serve.StatusDetails{Name: name, Group: resources.Group, Kind: kind.Plural}
	var said *apierrors.Status
	var invalid *resources.InvalidError
	var refused *apierrors.Refusal
	switch {
	case errors.As(err, &invalid):
		details.Kind, details.Causes = kind.Name, causes(invalid.Errs)
		message = fmt.Sprintf("%s.%s %q is invalid: %s", kind.Name, resources.Group, name, fieldErrors(invalid.Errs))
	case mutate.IsConflict(err):
		code, reason = http.StatusConflict, "Conflict"
		if !errors.As(err, &said) {
			err = apierrors.Conflict(resources.Key{Kind: kind.Plural, Name: name})
		}
		if errors.As(err, &said) {
			message = said.Message
		}
	case errors.As(err, &said):
		message = said.Message
		code, reason = codeOf(said.Reason)
	case errors.As(err, &refused):
		code, reason = http.StatusForbidden, "Forbidden"
	}
	status := serve.Failure(code, reason, strings.ReplaceAll(message, "--cascade=background", "--cascade=foreground"))
	status.Details = details
	return status
}

// codeOf maps the reason of one of our errors to an HTTP status and a
// Kubernetes reason.
func codeOf(reason string) (int, string) {
	switch reason {
	case "NotFound":
		return http.StatusNotFound, reason
	case "AlreadyExists":
		return http.StatusConflict, reason
	case "Forbidden": // other objects refer to it: the request may succeed later
		return http.StatusConflict, "Conflict"
	}
	return http.StatusUnprocessableEntity, "Invalid"
}

// causes converts field errors to status causes.
func causes(errs []resources.FieldError) []serve.StatusCause {
	all := make([]serve.StatusCause, len(errs))
	for i, e := range errs {
		reason := "FieldValueInvalid"
		for word, of := range map[string]string{"Required value": "FieldValueRequired", "Duplicate value": "FieldValueDuplicate", "Not found": "FieldValueNotFound", "Unsupported value": "FieldValueNotSupported", "Forbidden": "FieldValueForbidden"} {
			if strings.HasPrefix(e.Detail, word) {
				reason = of
			}
		}
		all[i] = serve.StatusCause{Reason: reason, Message: e.Detail, Field: e.Field}
	}
	return all
}

// fieldErrors returns the errors of fields as text; several are put in brackets, as in Kubernetes.
func fieldErrors(errs []resources.FieldError) string {
	if len(errs) == 1 {
		return errs[0].Error()
	}
	var all []string
	for _, e := range errs {
		all = append(all, e.Error())
	}
	return "[" + strings.Join(all, ", ") + "]"
}
