/* Words of the language of `sinter eval`. */
#ifndef SINTER_CORE_LEXER_H
#define SINTER_CORE_LEXER_H

#include "core/number.h"

typedef enum sinter__token_kind {
    SINTER__TOKEN_END,
    SINTER__TOKEN_SEPARATOR, /* ; or the end of a line outside brackets */
    SINTER__TOKEN_NAME,
    SINTER__TOKEN_NUMBER,
    SINTER__TOKEN_STRING, /* `offset` and `bytes` are those of what is between the quotes */
    SINTER__TOKEN_ASSIGN,
    SINTER__TOKEN_OPEN,
    SINTER__TOKEN_CLOSE,
    SINTER__TOKEN_OPEN_SQUARE,
    SINTER__TOKEN_CLOSE_SQUARE,
    SINTER__TOKEN_COMMA,
    SINTER__TOKEN_COLON,
    SINTER__TOKEN_ELLIPSIS,
    SINTER__TOKEN_INVERT,
    SINTER__TOKEN_OPERATOR, /* infix; + and - may stand before an operand too */
} sinter__token_kind;

typedef struct sinter__token {
    sinter__token_kind kind;
    size_t offset; /* in the text */
    size_t bytes;
    sinter__op op; /* OPERATOR */
    int level;     /* OPERATOR: how strongly it binds; SINTER__LEVEL_... */
    sinter__number number;
} sinter__token;

#define SINTER__LEVEL_COMPARE 1
#define SINTER__LEVEL_POWER 8

/* A reader of tokens. It can be copied to look ahead. */
typedef struct sinter__lexer {
    const char *text;
    size_t bytes;
    size_t at;
    int brackets; /* open; inside them the end of a line is a space */
} sinter__lexer;

/* Reads the next token. SINTER_ESYNTAX with the message set and token->offset at the fault. */
sinter_status sinter__lex(sinter__lexer *lexer, sinter__token *token);

/* Whether the token is this word. */
bool sinter__token_is(const sinter__lexer *lexer, const sinter__token *token, const char *word);

#endif /* SINTER_CORE_LEXER_H */
