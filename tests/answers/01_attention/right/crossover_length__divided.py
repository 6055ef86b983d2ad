"""Right: 4nd² = 4n²d divided by 4nd, written as a division of the two coefficients."""


def crossover_length(d):
    rnn_per_token = 4 * d**2
    attention_per_token_squared = 4 * d
    return rnn_per_token // attention_per_token_squared
