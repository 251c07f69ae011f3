package words

// Purpose is the purpose of a guard. A guard that acted on no case proves nothing.
type Purpose string

const (
	// ToRefuse: it refuses objects, or only warns about them.
	ToRefuse Purpose = "refuse"
	// ToChange: it changes objects, or refuses them.
	ToChange Purpose = "change"
	// ToWatch: it decides nothing, such as a policy with only audit annotations.
	ToWatch Purpose = "watch"
)
